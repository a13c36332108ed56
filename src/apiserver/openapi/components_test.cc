#include "apiserver/openapi/components.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

const char* const kTypes = R"({
  "x.Pod": {"type": "object", "properties": {
      "spec": {"$ref": "x.PodSpec", "default": {}}, "other": {"$ref": "x.Pod"}}},
  "x.PodSpec": {"type": "object", "properties": {
      "list": {"type": "array", "items": {"$ref": "x.Item"}, "x-kubernetes-list-type": "atomic"}}},
  "x.Item": {"type": "string"},
  "x.Alone": {"type": "string"}})";

class OpenApiComponents : public ::testing::Test {
 protected:
  json::Value types_ = json::parse(kTypes).value();
};

TEST_F(OpenApiComponents, AreAllThatIsReferredTo) {
  Components components(types_);
  components.collect(json::parse(R"([{"$ref": "#/components/schemas/x.Pod"}])").value());
  EXPECT_EQ(
      json::print(components.schemas()),
      R"({"x.Item":{"type":"string"},"x.Pod":{"type":"object","properties":{"spec":{"allOf":)"
      R"([{"$ref":"#/components/schemas/x.PodSpec"}],"default":{},"description":"What is wanted."},)"
      R"("other":{"$ref":"#/components/schemas/x.Pod"}},)"
      R"("description":"Programs that run together on one node."},)"
      R"("x.PodSpec":{"type":"object","properties":{"list":{"type":"array","items":{"$ref":)"
      R"("#/components/schemas/x.Item"},"x-kubernetes-list-type":"atomic"}},)"
      R"("description":"What runs in a pod and where it may run."}})");
}

TEST_F(OpenApiComponents, ADocumentMayHaveItsOwn) {
  Components components(types_);
  components.add("io.zz.v1.Foo",
                 json::parse(R"({"allOf": [{"$ref": "#/components/schemas/x.Alone"}]})").value());
  EXPECT_EQ(json::print(components.schemas()),
            R"({"io.zz.v1.Foo":{"allOf":[{"$ref":"#/components/schemas/x.Alone"}]},)"
            R"("x.Alone":{"type":"string"}})");
}

}  // namespace
}  // namespace berth::apiserver
