#include "apiserver/schema/prune.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/schema/structural.h"
#include "apiserver/schema/testing/object_meta.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

constexpr const char* kSchema = R"json({"type": "object", "properties": {"spec": {"type": "object",
  "properties": {
    "a": {"type": "string"}, "null": {"type": "string", "nullable": true},
    "def": {"type": "string", "default": "x"},
    "list": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "string"}}}},
    "map": {"type": "object", "additionalProperties": {"type": "object", "properties":
      {"c": {"type": "string"}}}},
    "keep": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties":
      {"known": {"type": "object", "properties": {"d": {"type": "string"}}}}},
    "keeplist": {"type": "array", "x-kubernetes-preserve-unknown-fields": true,
                 "items": {"type": "object"}},
    "emb": {"type": "object", "x-kubernetes-embedded-resource": true,
            "properties": {"spec": {"type": "object"}}},
    "any": {"type": "object", "additionalProperties": true}}}}})json";

struct PrunedText {
  std::string value;
  std::vector<std::string> unknown;
};

PrunedText pruned(const std::string& text) {
  SchemaSet nodes;
  const Schema& schema = *build_structural(nodes, json::parse(kSchema).value(),
                                           {.object_meta = &testing::object_meta(nodes)})
                              .root;
  Pruned result = prune(schema, json::parse(text).value());
  return {.value = json::print(result.value), .unknown = std::move(result.unknown_fields)};
}

using Fields = std::vector<std::string>;

TEST(Prune, TakesOutWhatTheSchemaDoesNotKnowAndTellsWhere) {
  const PrunedText result = pruned(R"({"zz": 1, "spec": {"z": 1, "a": "x", "list": [{"b": "1"},
      {"x": {"y": 1}}], "map": {"k": {"c": "1", "e": 1}}}, "status": {}})");
  EXPECT_EQ(result.value, R"({"spec":{"a":"x","list":[{"b":"1"},{}],"map":{"k":{"c":"1"}}}})");
  EXPECT_EQ(result.unknown, (Fields{"spec.list[1].x", "spec.map.k.e", "spec.z", "status", "zz"}));
}

TEST(Prune, KeepsWhatIsToBePreservedButNotInsideOfKnownParts) {
  const PrunedText result = pruned(
      R"({"spec": {"keep": {"x": {"y": 1}, "known": {"d": "1", "z": 1}}, "keeplist": [{"x": 1}]}})");
  EXPECT_EQ(result.value,
            R"({"spec":{"keep":{"x":{"y":1},"known":{"d":"1"}},"keeplist":[{"x":1}]}})");
  EXPECT_EQ(result.unknown, Fields{"spec.keep.known.z"});
}

TEST(Prune, TreatsMetadataOfTheObjectAndOfEmbeddedOnesAsObjectMeta) {
  const PrunedText result = pruned(R"({"apiVersion": "v1", "kind": "K",
      "metadata": {"name": "a", "zz": 1, "labels": {"a": "b"}},
      "spec": {"a": "x", "y": 1, "emb": {"apiVersion": "v1", "kind": "Pod",
               "metadata": {"name": "x", "odd": 1}, "spec": {"q": 1}, "more": 1}}})");
  EXPECT_EQ(result.value,
            R"({"apiVersion":"v1","kind":"K","metadata":{"name":"a","labels":{"a":"b"}},)"
            R"("spec":{"a":"x","emb":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},)"
            R"("spec":{}}}})");
  EXPECT_EQ(result.unknown, (Fields{"metadata.zz", "spec.emb.metadata.odd", "spec.emb.more",
                                    "spec.emb.spec.q", "spec.y"}));
}

TEST(Prune, TakesOutNullsThatStandForNothing) {
  const PrunedText result = pruned(
      R"({"metadata": {"creationTimestamp": null}, "spec": {"a": null, "null": null, "def": null}})");
  EXPECT_EQ(result.value, R"({"metadata":{},"spec":{"null":null,"def":null}})");
  EXPECT_TRUE(result.unknown.empty());
}

TEST(Prune, LeavesTheScalarsOfMapsThatTakeAnything) {
  EXPECT_EQ(
      pruned(R"({"spec": {"any": {"a": 1, "b": {"c": 1}, "d": [{"e": 1}], "n": null}}})").value,
      R"({"spec":{"any":{"a":1,"b":{},"d":[{}],"n":null}}})");
}

TEST(Prune, TellsOnlySoManyUnknownFields) {
  std::string text = "{";
  for (int i = 0; i < 300; ++i) text += (i ? ",\"z" : "\"z") + std::to_string(i) + "\":1";
  const PrunedText result = pruned(text + "}");
  EXPECT_EQ(result.value, "{}");
  EXPECT_EQ(result.unknown.size(), kUnknownFieldsMax);
}

TEST(Prune, SpellsTheErrorOfStrictDecoding) {
  EXPECT_EQ(strict_decoding_error({"spec.zz", "spec.y"}, {"spec.a"}),
            R"(strict decoding error: duplicate field "spec.a", unknown field "spec.zz", )"
            R"(unknown field "spec.y")");
}

}  // namespace
}  // namespace berth::apiserver
