#include "apiserver/schema/openapi_check.h"

#include <gtest/gtest.h>

#include "json/parse.h"

// What kube-apiserver says of whole definitions is in custom/definition_validation_test.cc.

namespace berth::apiserver {
namespace {

TEST(OpenApiCheck, LooksIntoEveryPart) {
  const auto causes = check_openapi(json::parse(R"({"type": "object", "properties": {
      "a": {"type": "array", "items": {"id": "x"}},
      "b": {"type": "object", "additionalProperties": {"$ref": "y"}},
      "c": {"type": "object", "not": {"uniqueItems": true}, "oneOf": [{"dependencies": {"a": []}}]}
      }})")
                                        .value(),
                                    "s");
  std::vector<std::string> fields;
  for (const Cause& cause : causes) fields.push_back(cause.field);
  EXPECT_EQ(fields,
            (std::vector<std::string>{
                "s.properties[a].items.id", "s.properties[b].additionalProperties.$ref",
                "s.properties[c].not.uniqueItems", "s.properties[c].oneOf[0].dependencies"}));
}

TEST(OpenApiCheck, RefusesDefaultsInMetadata) {
  const auto causes = check_openapi(json::parse(R"({"type": "object", "properties": {
      "emb": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata":
        {"type": "object", "properties": {"labels": {"type": "object", "additionalProperties":
          {"type": "string", "default": "x"}}}}}}}})")
                                        .value(),
                                    "s");
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].message,
            "Forbidden: must not be set inside additionalProperties applying to object metadata");
}

TEST(OpenApiCheck, ReadsAnythingWithoutComplaint) {
  check_openapi(json::parse(R"({"properties": 5, "x-kubernetes-list-type": 3,
      "x-kubernetes-list-map-keys": [1, {}], "items": "x", "x-kubernetes-validations": {}})")
                    .value(),
                "s");
}

}  // namespace
}  // namespace berth::apiserver
