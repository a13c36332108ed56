#include "apiserver/openapi/descriptions.h"

#include <gtest/gtest.h>

#include "apiserver/kinds/builtin_kinds.h"

namespace berth::apiserver {
namespace {

TEST(Descriptions, EveryKindAndItsFieldsHaveOne) {
  for (const auto& resource : builtin_resources()) {
    const Schema& schema = *resource->schema;
    EXPECT_NE(type_description(schema.type_name), "") << resource->kind;
    for (const Field& field : schema.fields) {
      EXPECT_NE(field_description(schema.type_name, field.name), "")
          << resource->kind << "." << field.name;
    }
  }
}

TEST(Descriptions, AFieldsOwnGoesBeforeTheCommonOne) {
  EXPECT_EQ(field_description("io.k8s.api.core.v1.PodSpec", "containers"),
            "The programs of the pod; at least one.");
  EXPECT_EQ(field_description("io.k8s.api.core.v1.Pod", "spec"), "What is wanted.");
  EXPECT_EQ(field_description("", "spec"), "What is wanted.");
  EXPECT_EQ(field_description("io.k8s.api.core.v1.Pod", "fridge"), "");
  EXPECT_EQ(type_description("io.k8s.api.core.v1.Fridge"), "");
}

}  // namespace
}  // namespace berth::apiserver
