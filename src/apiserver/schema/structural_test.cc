#include "apiserver/schema/structural.h"

#include <gtest/gtest.h>

#include "apiserver/schema/constraints.h"
#include "apiserver/schema/testing/object_meta.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

const Schema& built(SchemaSet& nodes, const char* text, const Schema* object_meta = nullptr) {
  return *build_structural(nodes, json::parse(text).value(), {.object_meta = object_meta}).root;
}

TEST(Structural, ReadsFormsAndExtensions) {
  SchemaSet nodes;
  const Schema& root = built(nodes, R"json({"type": "object", "required": ["b", "a", "b"],
    "properties": {
      "b": {"x-kubernetes-int-or-string": true},
      "a": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "x-kubernetes-map-type": "atomic", "nullable": true}},
      "c": {"type": "string", "format": "date-time", "default": "x", "pattern": "^a", "enum": ["a"]},
      "d": {"type": "object", "additionalProperties": {"type": "number"}},
      "e": {"x-kubernetes-preserve-unknown-fields": true}}})json");
  EXPECT_EQ(root.required, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(root.find("b")->schema->form, Form::IntOrString);
  const Schema& list = *root.find("a")->schema;
  EXPECT_EQ(list.list_kind, ListKind::Map);
  EXPECT_EQ(list.list_keys, std::vector<std::string>{"k"});
  EXPECT_EQ(list.items->map_kind, MapKind::Atomic);
  EXPECT_TRUE(list.items->is_nullable);
  const Schema& text = *root.find("c")->schema;
  EXPECT_EQ(text.default_value, json::Value("x"));
  EXPECT_EQ(text.constraints->format, Format::DateTime);
  EXPECT_EQ(text.constraints->pattern->text, "^a");
  EXPECT_EQ(text.constraints->allowed.size(), 1U);
  EXPECT_EQ(root.find("d")->schema->additional->form, Form::Number);
  EXPECT_TRUE(root.find("e")->schema->keeps_unknown);
  EXPECT_EQ(root.find("e")->schema->form, Form::Any);
}

TEST(Structural, KnowsWhatEveryObjectHas) {
  SchemaSet nodes;
  const Schema& meta = testing::object_meta(nodes);
  const Schema& root = built(nodes, R"({"type": "object"})", &meta);
  EXPECT_EQ(root.find("metadata")->schema, &meta);
  EXPECT_EQ(root.find("kind")->schema->form, Form::String);
  EXPECT_EQ(root.find("apiVersion")->schema->form, Form::String);
}

TEST(Structural, PutsRulesForTheNameIntoMetadata) {
  SchemaSet nodes;
  const Schema& meta = testing::object_meta(nodes);
  const Schema& root = built(nodes, R"({"type": "object", "properties": {"metadata": {
      "type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}}})",
                             &meta);
  const Schema& merged = *root.find("metadata")->schema;
  EXPECT_EQ(merged.find("name")->schema->constraints->length_max, 3);
  EXPECT_EQ(merged.find("labels")->schema, meta.find("labels")->schema);
  EXPECT_EQ(meta.find("name")->schema->constraints, nullptr);
}

TEST(Structural, KeepsMetadataWhereNothingIsKnownOfIt) {
  SchemaSet nodes;
  EXPECT_TRUE(built(nodes, R"({"type": "object"})").find("metadata")->schema->keeps_unknown);
}

TEST(Structural, TellsWhereRulesAreBelow) {
  SchemaSet nodes;
  const Schema& root = built(nodes, R"({"type": "object", "properties": {
      "a": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 3,
            "x-kubernetes-validations": [{"rule": "self != 'x'"}]}},
      "b": {"type": "string"}}})");
  EXPECT_TRUE(root.constraints->has_rules_below);
  EXPECT_TRUE(root.find("a")->schema->constraints->has_rules_below);
  EXPECT_FALSE(root.find("b")->schema->constraints->has_rules_below);
  EXPECT_EQ(root.constraints->rules, nullptr);
  EXPECT_NE(root.find("a")->schema->items->constraints->rules, nullptr);
}

TEST(Structural, ReadsAnythingWithoutComplaint) {
  for (const char* text :
       {"{}", R"({"type": 5, "properties": [], "items": 3, "required": {}})",
        R"({"properties": {"a": 5, "b": null}, "additionalProperties": "x", "not": []})",
        R"({"allOf": [5, null], "anyOf": {}, "enum": 3, "pattern": "(", "minimum": "x"})",
        R"({"type": "object", "x-kubernetes-validations": [5, {"rule": 3}, {"rule": "("}]})"}) {
    SchemaSet nodes;
    built(nodes, text);
  }
}

}  // namespace
}  // namespace berth::apiserver
