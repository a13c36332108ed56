#include "apiserver/strategies/pod_status_update.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/tables/cells.h"
#include "json/merge_patch.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using json::Value;

Result<Value> updated(std::string_view before, std::string_view patch) {
  const Value pod = json::read_one_yaml(before).value();
  return prepare_pod_status_update(
      pod, json::apply_merge_patch(pod, json::read_one_yaml(patch).value()));
}

TEST(PodStatusUpdate, ChangesTheStatusOnly) {
  const Value pod = updated("{metadata: {ownerReferences: [{name: o}]}, spec: {nodeName: one}}",
                            "{metadata: {ownerReferences: []}, spec: {nodeName: two}, status: "
                            "{phase: Running}}")
                        .value();
  EXPECT_EQ(text_at(pod, "spec.nodeName"), "one");
  EXPECT_EQ(at(pod, "metadata.ownerReferences").size(), 1u);
  EXPECT_EQ(text_at(pod, "status.phase"), "Running");
}

TEST(PodStatusUpdate, KeepsWhatOldClientsForget) {
  const Value pod = updated(
                        "{spec: {}, status: {qosClass: Burstable, observedGeneration: 3, "
                        "conditions: [{type: Ready, observedGeneration: 2}]}}",
                        "status: {qosClass: null, observedGeneration: null, conditions: "
                        "[{type: Ready, status: 'True'}]}")
                        .value();
  EXPECT_EQ(text_at(pod, "status.qosClass"), "Burstable");
  EXPECT_EQ(integer_at(pod, "status.observedGeneration"), 3);
  EXPECT_EQ(integer_at(at(pod, "status.conditions").elements()[0], "observedGeneration"), 2);
}

TEST(PodStatusUpdate, RefusesAnotherQualityOfServiceOrNomination) {
  EXPECT_EQ(
      updated("{metadata: {name: x}, spec: {}, status: {qosClass: Burstable}}",
              "status: {qosClass: Guaranteed}")
          .error()
          .message,
      R"(Pod "x" is invalid: status.qosClass: Invalid value: "Guaranteed": field is immutable)");
  EXPECT_FALSE(updated("spec: {nodeName: one}", "status: {nominatedNodeName: two}").ok());
  EXPECT_TRUE(updated("spec: {}", "status: {nominatedNodeName: two}").ok());
}

TEST(PodStatusUpdate, ContainersThatEndedForGoodStayEnded) {
  struct Case {
    std::string_view spec;
    int exit_code;
    bool may_run_again;
  };
  const Case cases[] = {
      {"{restartPolicy: Always, containers: [{name: c}]}", 0, true},
      {"{restartPolicy: OnFailure, containers: [{name: c}]}", 1, true},
      {"{restartPolicy: OnFailure, containers: [{name: c}]}", 0, false},
      {"{restartPolicy: Never, containers: [{name: c}]}", 1, false},
      {"{restartPolicy: Never, containers: [{name: c, restartPolicy: Always}]}", 0, true},
      {"{restartPolicy: Always, containers: [{name: c, restartPolicy: Never, restartPolicyRules: "
       "[{action: Restart, exitCodes: {operator: In, values: [42]}}]}]}",
       42, true},
      {"{restartPolicy: Always, containers: [{name: c, restartPolicy: Never, restartPolicyRules: "
       "[{action: Restart, exitCodes: {operator: In, values: [42]}}]}]}",
       43, false},
      {"{restartPolicy: Always, containers: [{name: other}]}", 0, false},
  };
  for (const Case& c : cases) {
    const std::string before = "{spec: " + std::string(c.spec) +
                               ", status: {containerStatuses: [{name: c, state: {terminated: "
                               "{exitCode: " +
                               std::to_string(c.exit_code) + "}}}]}}";
    const auto result =
        updated(before, "status: {containerStatuses: [{name: c, state: {running: {}}}]}");
    EXPECT_EQ(result.ok(), c.may_run_again) << c.spec;
    if (!result.ok()) {
      EXPECT_EQ(result.error().causes[0].field, "status.containerStatuses[0].state");
    }
  }
}

}  // namespace
}  // namespace berth::apiserver
