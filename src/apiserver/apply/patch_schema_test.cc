#include "apiserver/apply/patch_schema.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/schema_reader.h"
#include "apiserver/apply/testing/sets.h"

namespace berth::apiserver {
namespace {

using testing::json_of;
using testing::parse_schema;

constexpr std::string_view kPod = R"({"type":"object","x-type-name":"Pod","properties":{
  "metadata":{"type":"object","properties":{
    "labels":{"type":"object","additionalProperties":{"type":"string"}},
    "finalizers":{"type":"array","items":{"type":"string"},"x-kubernetes-patch-strategy":"merge"}}},
  "spec":{"type":"object","x-type-name":"PodSpec","properties":{
    "containers":{"type":"array","x-kubernetes-patch-strategy":"merge",
      "x-kubernetes-patch-merge-key":"name","items":{"type":"object","x-type-name":"Container",
      "properties":{"name":{"type":"string"},"image":{"type":"string"},
        "command":{"type":"array","items":{"type":"string"}}}}},
    "strategy":{"type":"object","x-kubernetes-patch-strategy":"replace","properties":{
      "type":{"type":"string"},"more":{"type":"string"}}}}}}})";

TEST(PatchSchema, BuiltInTypesArePatchedByTheirStrategies) {
  const auto schema = parse_schema(kPod);
  PatchSchemas schemas;
  const json::Value pod = json_of(R"({"metadata":{"labels":{"a":"x"},"finalizers":["f"]},"spec":{
    "containers":[{"name":"c","image":"i","command":["a"]}],"strategy":{"type":"x","more":"y"}}})");
  const json::Value patch = json_of(R"({"metadata":{"labels":{"b":"y"},"finalizers":["g"]},"spec":{
    "containers":[{"name":"c","command":["b"]},{"name":"d"}],"strategy":{"type":"z"}}})");
  const auto patched = json::apply_strategic_patch(pod, patch, schemas.view_of(*schema.root));
  ASSERT_TRUE(patched.ok()) << patched.error().message;
  EXPECT_EQ(json::print(*patched),
            json::print(
                json_of(R"({"metadata":{"labels":{"a":"x","b":"y"},"finalizers":["g","f"]},"spec":{
    "containers":[{"name":"c","image":"i","command":["b"]},{"name":"d"}],"strategy":{"type":"z"}}})")));
}

TEST(PatchSchema, KnowsTheFieldsAndNamesOfTypes) {
  const auto schema = parse_schema(kPod);
  PatchSchemas schemas;
  const json::PatchSchema& pod = schemas.view_of(*schema.root);
  EXPECT_EQ(pod.name(), "Pod");
  EXPECT_FALSE(pod.field("bogus").has_value());
  const auto spec = pod.field("spec");
  ASSERT_TRUE(spec && spec->type);
  const auto containers = spec->type->field("containers");
  EXPECT_EQ(containers->merge_key, "name");
  EXPECT_EQ(containers->type->name(), "Container");
  EXPECT_EQ(pod.field("metadata")->type->field("labels")->type, nullptr) << "a map has no fields";
  EXPECT_EQ(pod.field("spec")->type, spec->type) << "one view for each type";
}

}  // namespace
}  // namespace berth::apiserver
