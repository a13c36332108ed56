#include "apiserver/strategies/pod_create.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/tables/cells.h"
#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;
using json::Value;

PodLookups lookups(std::optional<PriorityClassFacts> of_default = std::nullopt) {
  return {.priority_class = [](std::string_view name) -> std::optional<PriorityClassFacts> {
            if (name != "high") return std::nullopt;
            return PriorityClassFacts{.name = "high", .value = 7, .preemption_policy = "Never"};
          },
          .default_priority_class = [of_default] { return of_default; }};
}

Result<Value> created(std::string_view yaml,
                      std::optional<PriorityClassFacts> of_default = std::nullopt) {
  return prepare_new_pod(json::read_one_yaml(yaml).value(), lookups(of_default), Time{60s});
}

TEST(PodCreate, StartsTheStatusAnew) {
  const Value pod =
      created("{spec: {containers: [{}]}, status: {phase: Running, podIP: x}}").value();
  EXPECT_EQ(json::print(at(pod, "status")), R"({"phase":"Pending","qosClass":"BestEffort"})");
  EXPECT_EQ(text_at(pod, "spec.serviceAccountName"), "default");
  EXPECT_EQ(at(pod, "spec.volumes"), Value()) << "no token is mounted";
}

TEST(PodCreate, TakesThePriorityFromItsClass) {
  EXPECT_EQ(integer_at(created("spec: {priorityClassName: high}").value(), "spec.priority"), 7);
  EXPECT_EQ(text_at(created("spec: {priorityClassName: high}").value(), "spec.preemptionPolicy"),
            "Never");
  const Value plain = created("spec: {}").value();
  EXPECT_EQ(at(plain, "spec.priority"), Value(0));
  EXPECT_EQ(text_at(plain, "spec.preemptionPolicy"), "PreemptLowerPriority");
  const Value usual = created("spec: {}", PriorityClassFacts{.name = "usual", .value = 3}).value();
  EXPECT_EQ(text_at(usual, "spec.priorityClassName"), "usual");
  EXPECT_EQ(integer_at(usual, "spec.priority"), 3);
}

TEST(PodCreate, RefusesAPriorityThatItsClassDoesNotGive) {
  struct Case {
    std::string_view spec;
    std::string_view message;
  };
  const Case cases[] = {
      {"{priorityClassName: none}",
       R"(pods "x" is forbidden: no PriorityClass with name none was found)"},
      {"{priorityClassName: high, priority: 8}",
       R"(pods "x" is forbidden: the integer value of priority (8) must not be provided in pod )"
       "spec; priority admission controller computed 7 from the given PriorityClass name"},
      {"{priorityClassName: high, preemptionPolicy: PreemptLowerPriority}",
       R"(pods "x" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must )"
       "not be provided in pod spec; priority admission controller computed Never from the given "
       "PriorityClass name"},
  };
  for (const Case& c : cases) {
    const auto pod = created("{metadata: {name: x}, spec: " + std::string(c.spec) + "}");
    ASSERT_FALSE(pod.ok());
    EXPECT_EQ(pod.error().code, Code::Forbidden);
    EXPECT_EQ(pod.error().message, c.message);
  }
}

TEST(PodCreate, IsPatientWithNodesUnlessThePodSaysOtherwise) {
  const auto count = [](std::string_view tolerations) {
    return at(created("spec: {tolerations: " + std::string(tolerations) + "}").value(),
              "spec.tolerations")
        .size();
  };
  EXPECT_EQ(count("null"), 2u);
  EXPECT_EQ(count("[{operator: Exists}]"), 1u);
  EXPECT_EQ(count("[{operator: Exists, effect: NoSchedule}]"), 3u);
  EXPECT_EQ(count("[{key: node.kubernetes.io/not-ready, effect: NoExecute}]"), 2u);
  EXPECT_EQ(created("spec: {tolerations: 3}").value().find_path({"spec", "tolerations"})->as_int(),
            3);
}

TEST(PodCreate, SaysOfAGatedPodThatItWaits) {
  const Value pod = created("spec: {schedulingGates: [{name: g}]}").value();
  const Value& condition = at(pod, "status.conditions").elements()[0];
  EXPECT_EQ(text_at(condition, "reason"), "SchedulingGated");
  EXPECT_EQ(text_at(condition, "lastTransitionTime"), "1970-01-01T00:01:00Z");
}

TEST(PodCreate, LeavesItToOthersThatASpecIsMissing) {
  EXPECT_EQ(text_at(created("{}").value(), "spec.serviceAccountName"), "default");
}

}  // namespace
}  // namespace berth::apiserver
