#include "apiserver/apply/field_set_of.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using testing::json_of;
using testing::set_of;
using testing::text_of_set;
using testing::ThingType;

TEST(FieldSetOf, NamesLeavesEntriesAndElementsButNotDeclaredStructs) {
  struct Case {
    std::string_view spec;
    std::string_view fields;
  };
  const Case cases[] = {
      {R"({"n":1,"s":null})", R"({"f:n":{},"f:s":{}})"},
      {R"({"nested":{"a":"x"}})", R"({"f:nested":{"f:a":{}}})"},
      {R"({"nested":{}})", R"({"f:nested":{}})"},
      {R"({"atomic":["a"],"whole":{"a":"x"}})", R"({"f:atomic":{},"f:whole":{}})"},
      {R"({"set":["b","a"]})", R"({"f:set":{"v:\"a\"":{},"v:\"b\"":{}}})"},
      {R"({"ports":[{"port":80}]})",
       R"({"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}})"},
      {R"({"named":[{"name":"a","v":1},{"name":"a","v":2}]})",
       R"({"f:named":{"k:{\"name\":\"a\"}":{}}})"},
      {R"({"texts":{"a":"x"}})", R"({"f:texts":{"f:a":{}}})"},
      {R"({"free":{"a":{"b":[1]}}})", R"({"f:free":{"f:a":{".":{},"f:b":{}}}})"},
  };
  const ThingType thing;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.spec);
    EXPECT_EQ(text_of_set(field_set_of(json_of(c.spec), thing.type.member("spec"))), c.fields);
  }
}

TEST(FieldSetOf, DeclaredFieldsOnTheWayCanBeAdded) {
  const ThingType thing;
  const FieldSet set = set_of(
      R"({"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:named":{"k:{\"name\":\"a\"}":{"f:v":{}}},)"
      R"("f:free":{"f:a":{"f:b":{}}}}})");
  EXPECT_EQ(text_of_set(with_declared_fields(set, thing.type)),
            R"({"f:metadata":{".":{},"f:labels":{".":{},"f:a":{}}},"f:spec":{".":{},)"
            R"("f:free":{".":{},"f:a":{"f:b":{}}},)"
            R"("f:named":{".":{},"k:{\"name\":\"a\"}":{"f:v":{}}}}})");
}

TEST(FieldSetOf, WhatBecameAtomicIsOwnedAsAWhole) {
  const ThingType thing;
  const FieldSet set =
      set_of(R"({"f:spec":{"f:whole":{"f:a":{}},"f:atomic":{"v:\"x\"":{}},"f:nested":{"f:a":{}},)"
             R"("f:free":{"f:l":{"v:1":{}}}}})");
  EXPECT_EQ(text_of_set(reconciled(set, thing.type)),
            R"({"f:spec":{"f:atomic":{},"f:free":{"f:l":{"v:1":{}}},"f:nested":{"f:a":{}},)"
            R"("f:whole":{}}})");
}

}  // namespace
}  // namespace berth::apiserver
