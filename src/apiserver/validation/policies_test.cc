#include "apiserver/validation/policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::fields_of;
using ::testing::IsEmpty;
using testing::yaml_object;

TEST(Policies, ABudgetHasOneBound) {
  const auto found = [](std::string_view spec) {
    return fields_of(
        validate_disruption_budget(yaml_object("spec: " + std::string(spec)), nullptr));
  };
  EXPECT_THAT(found("{minAvailable: 50%}"), IsEmpty());
  EXPECT_THAT(found("{minAvailable: 1, maxUnavailable: 1}"), ElementsAre("spec"));
  EXPECT_THAT(found("{maxUnavailable: 101%, unhealthyPodEvictionPolicy: Perhaps}"),
              ElementsAre("spec.maxUnavailable", "spec.unhealthyPodEvictionPolicy"));
}

TEST(Policies, SystemClassesAreTheSystems) {
  const auto found = [](std::string_view object) {
    return fields_of(validate_priority_class(yaml_object(object), nullptr));
  };
  EXPECT_THAT(found("{metadata: {name: mine}, value: 1000000000}"), IsEmpty());
  EXPECT_THAT(found("{metadata: {name: mine}, value: 1000000001}"), ElementsAre("value"));
  EXPECT_THAT(found("{metadata: {name: system-mine}, value: 1}"), ElementsAre("metadata.name"));
  EXPECT_THAT(found("{metadata: {name: system-node-critical}, value: 2000001000}"), IsEmpty());
}

TEST(Policies, AClassKeepsItsValue) {
  const json::Value before =
      yaml_object("{metadata: {name: a}, value: 1, preemptionPolicy: Never}");
  json::Value after = before;
  EXPECT_THAT(validate_priority_class(after, &before), IsEmpty());
  after["value"] = 2;
  after["preemptionPolicy"] = "PreemptLowerPriority";
  EXPECT_THAT(fields_of(validate_priority_class(after, &before)),
              ElementsAre("value", "preemptionPolicy"));
}

}  // namespace
}  // namespace berth::apiserver
