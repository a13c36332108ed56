#include "apiserver/apply/last_applied.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"
#include "apiserver/apply/testing/thing_schema.h"

namespace berth::apiserver {
namespace {

using json::Value;
using testing::json_of;
using testing::text_of_set;
using testing::ThingType;

constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

Value object_with(std::string_view spec, std::string_view annotation) {
  Value object = json_of(R"({"apiVersion":"ex.io/v1","kind":"Thing"})");
  object["spec"] = json_of(spec);
  object["metadata"]["annotations"][kAnnotation] = annotation;
  return object;
}

TEST(LastApplied, FieldsThatAreStillAsTheAnnotationSaysAreItsOwn) {
  const ThingType thing;
  const Value live =
      object_with(R"({"n":1,"s":"changed","set":["a"]})",
                  R"({"apiVersion":"ex.io/v1","spec":{"n":1,"s":"x","truth":true,"set":["a"]}})");
  EXPECT_TRUE(has_last_applied(live));
  EXPECT_EQ(text_of_set(fields_of_last_applied(live, "ex.io/v1", thing.type)),
            R"({"f:apiVersion":{},"f:spec":{"f:n":{},"f:set":{"v:\"a\"":{}}}})");
}

TEST(LastApplied, WhatCannotBeReadOwnsNothing) {
  const ThingType thing;
  EXPECT_FALSE(has_last_applied(Value::object()));
  EXPECT_TRUE(fields_of_last_applied(Value::object(), "ex.io/v1", thing.type).is_empty());
  for (const std::string_view text :
       {"", "no json", "[]", R"({"apiVersion":"ex.io/v2","spec":{"n":1}})",
        R"({"apiVersion":"ex.io/v1","spec":{"bogus":1}})"}) {
    EXPECT_TRUE(
        fields_of_last_applied(object_with(R"({"n":1})", text), "ex.io/v1", thing.type).is_empty())
        << text;
  }
}

TEST(LastApplied, TheAnnotationSaysWhatWasAppliedSortedByName) {
  const Value applied = object_with(R"({"s":"<x>","n":1,"set":[{"b":1,"a":2}]})", "old");
  const Value object = with_last_applied(object_with("{}", "old"), applied);
  EXPECT_EQ(object.find_path({"metadata", "annotations", kAnnotation})->string_or_empty(),
            "{\"apiVersion\":\"ex.io/v1\",\"kind\":\"Thing\",\"metadata\":{\"annotations\":{}},"
            "\"spec\":{\"n\":1,\"s\":\"\\u003cx\\u003e\",\"set\":[{\"a\":2,\"b\":1}]}}\n");
}

TEST(LastApplied, NoAnnotationIsBetterThanOneThatIsTooLarge) {
  Value applied = Value::object();
  applied["spec"]["s"] = std::string(300'000, 'x');
  const Value object = with_last_applied(object_with("{}", "old"), applied);
  EXPECT_FALSE(has_last_applied(object));
}

}  // namespace
}  // namespace berth::apiserver
