#include "api/kinds/fields.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

TEST(Fields, WhatIsAbsentOrOfTheWrongTypeReadsAsEmpty) {
  for (const char* text : {"{}", "null", "[]", "3", R"({"a":null})", R"({"a":{"b":1}})"}) {
    SCOPED_TRACE(text);
    const json::Value object = parsed(text);
    EXPECT_EQ(text_field(object, "a"), "");
    EXPECT_EQ(integer_field(object, "a"), std::nullopt);
    EXPECT_EQ(time_field(object, "a"), std::nullopt);
    EXPECT_TRUE(elements_field(object, "a").empty());
    EXPECT_TRUE(labels_field(object, "a").empty());
  }
}

TEST(Fields, NumbersBeyondInt32AreLimited) {
  const json::Value object = parsed(R"({"a":99999999999,"b":-99999999999,"c":7})");
  EXPECT_EQ(int32_field(object, "a"), 2147483647);
  EXPECT_EQ(int32_field(object, "b"), -2147483648);
  EXPECT_EQ(int32_field(object, "c"), 7);
}

TEST(Fields, LabelsAreSortedAndOnlyStrings) {
  const auto labels = labels_field(parsed(R"({"l":{"b":"2","a":"1","c":3}})"), "l");
  EXPECT_EQ(labels, (std::vector<Label>{{"a", "1"}, {"b", "2"}}));
}

TEST(Fields, FactsOfAnObject) {
  const auto facts = read_facts(parsed(R"({"metadata":{"name":"n","namespace":"s","uid":"u",
    "resourceVersion":"7","generation":3,"labels":{"a":"1"},"annotations":{"x":"y"},
    "deletionTimestamp":"2026-01-01T00:00:00Z"}})"));
  EXPECT_EQ(facts.name, "n");
  EXPECT_EQ(facts.object_namespace, "s");
  EXPECT_EQ(facts.uid, "u");
  EXPECT_EQ(facts.resource_version, "7");
  EXPECT_EQ(facts.generation, 3);
  EXPECT_EQ(facts.label("a"), "1");
  EXPECT_EQ(facts.label("none"), "");
  EXPECT_EQ(facts.annotation("x"), "y");
  EXPECT_TRUE(facts.is_deleting);
}

}  // namespace
}  // namespace berth::api
