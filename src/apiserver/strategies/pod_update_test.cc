#include "apiserver/strategies/pod_update.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/tables/cells.h"
#include "json/merge_patch.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using json::Value;

const Value& pod() {
  static const Value kPod = json::read_one_yaml(R"(
metadata: {name: x}
spec:
  priority: 7
  activeDeadlineSeconds: 100
  terminationGracePeriodSeconds: -3
  hostname: h
  nodeSelector: {a: b}
  tolerations: [{operator: Exists, tolerationSeconds: 5}]
  containers: [{name: c, image: i}]
status: {phase: Running})")
                                .value();
  return kPod;
}

Result<Value> updated(std::string_view patch) {
  return prepare_pod_update(pod(),
                            json::apply_merge_patch(pod(), json::read_one_yaml(patch).value()));
}

TEST(PodUpdate, AllowsTheFewChangesThatArePossible) {
  for (const char* patch :
       {"spec: {containers: [{name: c, image: j}]}", "spec: {activeDeadlineSeconds: 50}",
        "spec: {terminationGracePeriodSeconds: 1}", "metadata: {labels: {a: b}}",
        "spec: {tolerations: [{operator: Exists, tolerationSeconds: 9}, {key: k, operator: "
        "Exists}]}",
        "spec: {volumes: [], affinity: {}}"}) {
    const auto result = updated(patch);
    EXPECT_TRUE(result.ok()) << patch << ": " << result.error().message;
  }
}

TEST(PodUpdate, RefusesTheOthers) {
  struct Case {
    std::string_view patch;
    std::string_view message;
  };
  const Case cases[] = {
      {"spec: {hostname: other}", "spec: Forbidden: pod updates may not change fields other than"},
      {"spec: {containers: [{name: d, image: i}]}", "spec: Forbidden: pod updates may not change"},
      {"spec: {containers: [{name: c, image: ''}]}", "spec.containers[0].image: Required value"},
      {"spec: {containers: [{name: c, image: ' i'}]}",
       R"(spec.containers[0].image: Invalid value: " i": must not have leading or trailing)"},
      {"spec: {containers: []}",
       "spec.containers: Forbidden: pod updates may not add or remove containers"},
      {"spec: {initContainers: [{name: a, image: b}]}",
       "spec.initContainers: Forbidden: pod updates may not add or remove containers"},
      {"spec: {activeDeadlineSeconds: 200}",
       "spec.activeDeadlineSeconds: Invalid value: 200: must be less than or equal to previous "
       "value"},
      {"spec: {activeDeadlineSeconds: -1}",
       "spec.activeDeadlineSeconds: Invalid value: -1: must be between 0 and 2147483647, "
       "inclusive"},
      {"spec: {activeDeadlineSeconds: null}",
       "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer "
       "to nil value"},
      {"spec: {tolerations: [{key: k, operator: Exists}]}",
       "spec.tolerations: Forbidden: existing toleration can not be modified except its "
       "tolerationSeconds"},
      {"spec: {terminationGracePeriodSeconds: 2}", "spec: Forbidden: pod updates may not change"},
      {"spec: {schedulingGates: [{name: g}]}",
       "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new "
       "scheduling gate 'g'"},
      {"spec: {nodeSelector: {a: b, c: d}}", "spec: Forbidden: pod updates may not change"},
      {"spec: null", "spec: Required value"},
  };
  for (const Case& c : cases) {
    const auto result = updated(c.patch);
    ASSERT_FALSE(result.ok()) << c.patch;
    EXPECT_EQ(result.error().code, Code::Invalid);
    EXPECT_NE(result.error().message.find(c.message), std::string::npos) << result.error().message;
  }
}

TEST(PodUpdate, KeepsTheStatusAndWhatAdmissionDecided) {
  const Value result = updated("{spec: {priority: null}, status: {phase: Failed}}").value();
  EXPECT_EQ(text_at(result, "status.phase"), "Running");
  EXPECT_EQ(integer_at(result, "spec.priority"), 7);
}

}  // namespace
}  // namespace berth::apiserver
