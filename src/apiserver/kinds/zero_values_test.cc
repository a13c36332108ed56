#include "apiserver/kinds/zero_values.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(ZeroValues, StructsAreThereAndPointersAreNot) {
  const json::Value& deployment = zero_value("io.k8s.api.apps.v1.Deployment");
  EXPECT_NE(deployment.find_path({"spec", "template", "spec"}), nullptr);
  EXPECT_NE(deployment.find_path({"spec", "strategy"}), nullptr);
  EXPECT_EQ(deployment.find_path({"spec", "selector"}), nullptr);
  EXPECT_EQ(deployment.find_path({"spec", "strategy", "rollingUpdate"}), nullptr);
  EXPECT_EQ(*zero_value("io.k8s.api.core.v1.Event").find("reportingComponent"), json::Value(""));
}

TEST(ZeroValues, OtherTypesHaveNone) {
  EXPECT_EQ(zero_value("com.example.Thing"), json::Value::object());
}

}  // namespace
}  // namespace berth::apiserver
