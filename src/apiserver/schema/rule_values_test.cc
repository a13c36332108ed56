#include "apiserver/schema/rule_values.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/schema/structural.h"
#include "cel/display.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

TEST(RuleValues, EscapeNamesThatAreNoIdentifiers) {
  EXPECT_EQ(escape_field("plain_1"), "plain_1");
  EXPECT_EQ(escape_field("if"), "__if__");
  EXPECT_EQ(escape_field("a-b.c/d"), "a__dash__b__dot__c__slash__d");
  EXPECT_EQ(escape_field("a__b"), "a__underscores__b");
  EXPECT_EQ(escape_field("a b"), std::nullopt);
  EXPECT_EQ(escape_field("1a"), std::nullopt);
  EXPECT_EQ(escape_field(""), std::nullopt);
}

constexpr const char* kSchema = R"json({"type": "object", "properties": {
  "a-b": {"type": "string"}, "bytes": {"type": "string", "format": "byte"},
  "date": {"type": "string", "format": "date"}, "dur": {"type": "string", "format": "duration"},
  "num": {"type": "number"}, "time": {"type": "string", "format": "date-time"},
  "list": {"type": "array", "items": {"type": "number"}},
  "map": {"type": "object", "additionalProperties": {"type": "number"}},
  "free": {"x-kubernetes-preserve-unknown-fields": true},
  "x y": {"type": "string"}}})json";

TEST(RuleValues, AreMoreThanJsonWhereTheSchemaSaysSo) {
  SchemaSet nodes;
  const Schema& root = *build_structural(nodes, json::parse(kSchema).value()).root;
  cel::Arena arena;
  const auto object = json::parse(R"({"a-b": "x", "bytes": "YQ==", "date": "2026-01-02",
      "dur": "1h", "num": 1, "time": "2026-01-02T03:04:05Z", "list": [1], "map": {"a-b": 2},
      "x y": "gone", "unknown": 1})")
                          .value();
  const cel::Value value = to_cel(root, object, arena);
  const auto shown = [&value](const char* name) {
    const auto found = value.find(name);
    return found ? cel::display(*found) : "none";
  };
  EXPECT_EQ(shown("a__dash__b"), "\"x\"");
  EXPECT_EQ(value.find("bytes")->kind(), cel::ValueKind::Bytes);
  EXPECT_EQ(value.find("date")->kind(), cel::ValueKind::Timestamp);
  EXPECT_EQ(value.find("dur")->as_duration(), std::chrono::hours(1));
  EXPECT_EQ(value.find("num")->kind(), cel::ValueKind::Double);
  EXPECT_EQ(value.find("time")->kind(), cel::ValueKind::Timestamp);
  EXPECT_EQ(value.find("list")->element(0).kind(), cel::ValueKind::Double);
  EXPECT_EQ(value.find("map")->find("a-b")->kind(), cel::ValueKind::Double);
  EXPECT_EQ(shown("x y"), "none");
  EXPECT_EQ(shown("unknown"), "none");
}

TEST(RuleValues, OfTheWrongFormatAreErrors) {
  SchemaSet nodes;
  const Schema& root = *build_structural(nodes, json::parse(kSchema).value()).root;
  cel::Arena arena;
  const auto object =
      json::parse(R"({"bytes": "?", "date": "x", "dur": "x", "time": "x"})").value();
  const cel::Value value = to_cel(root, object, arena);
  for (const char* name : {"bytes", "date", "dur", "time"}) {
    EXPECT_TRUE(value.find(name)->is_error()) << name;
  }
}

TEST(RuleValues, NeedNoConversionWherePlainJsonDoes) {
  SchemaSet nodes;
  const auto needs = [&nodes](const char* text) {
    return needs_conversion(
        *build_structural(nodes, json::parse(text).value()).root->find("a")->schema);
  };
  EXPECT_FALSE(needs(R"({"properties": {"a": {"type": "array", "items": {"type": "string"}}}})"));
  EXPECT_TRUE(needs(R"({"properties": {"a": {"type": "array", "items": {"type": "number"}}}})"));
  EXPECT_TRUE(needs(R"({"properties": {"a": {"type": "object", "properties": {"a-b":
                        {"type": "string"}}}}})"));
}

TEST(RuleValues, HaveTypesWhereTheSchemaTellsThem) {
  SchemaSet nodes;
  const Schema& root = *build_structural(nodes, json::parse(kSchema).value()).root;
  cel::Environment environment;
  EXPECT_EQ(declare_type(environment, root, RuleScope::Resource, "self")->display(), "self");
  const cel::StructType* type = environment.find_struct("self");
  ASSERT_NE(type, nullptr);
  std::string fields;
  for (const auto& [name, field] : type->fields) fields += name + ":" + field.display() + " ";
  EXPECT_EQ(fields,
            "a__dash__b:string apiVersion:string bytes:bytes date:timestamp dur:duration "
            "kind:string list:list(double) map:map(string, double) metadata:self.metadata "
            "num:double time:timestamp ");
}

}  // namespace
}  // namespace berth::apiserver
