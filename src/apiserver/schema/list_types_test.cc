#include "apiserver/schema/list_types.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/schema/structural.h"
#include "apiserver/schema/validate.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

std::vector<Cause> causes_of(const std::string& text) {
  SchemaSet nodes;
  const auto schema = json::parse(R"json({"type": "object", "properties": {
    "set": {"type": "array", "x-kubernetes-list-type": "set",
            "items": {"x-kubernetes-preserve-unknown-fields": true}},
    "maps": {"type": "object", "additionalProperties": {"type": "array",
      "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
      "items": {"type": "object", "properties": {"k": {"type": "string"}}}}}}})json")
                          .value();
  return validate_lists(*build_structural(nodes, schema).root, json::parse(text).value());
}

TEST(ListTypes, ComplainOfTheFirstRepetitionOfEachElement) {
  const auto causes = causes_of(R"({"set": [1, {"a": 1, "b": 2}, 1, {"b": 2, "a": 1}, 1, "1"]})");
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].field + " " + causes[0].message, "set[2] Duplicate value: 1");
  EXPECT_EQ(causes[1].field + " " + causes[1].message, R"(set[3] Duplicate value: {"a":1,"b":2})");
}

TEST(ListTypes, SpellMapsOfListsByTheirKeys) {
  const auto causes = causes_of(R"({"maps": {"x": [{"k": "a"}, {"k": "a"}], "y": [{}, null]}})");
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].field, "maps[x][1]");
  EXPECT_EQ(causes[1].field + " " + causes[1].message, "maps[y][1] Duplicate value: {}");
}

TEST(ListTypes, ComplainOnlySoOften) {
  std::string text = "{\"set\": [";
  for (int i = 0; i < 1000; ++i) {
    text += (i ? "," : "") + std::to_string(i) + "," + std::to_string(i);
  }
  EXPECT_EQ(causes_of(text + "]}").size(), kCausesMax);
}

}  // namespace
}  // namespace berth::apiserver
