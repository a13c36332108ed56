#include "local/pod_status.h"

#include <array>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using json::Value;
using testing::kNow;

const Value kPod = testing::parsed(R"({"metadata":{"name":"p","namespace":"ns"},
    "spec":{"containers":[{"name":"a","image":"i"}]}})");

Value with_status(const ContainerState& state) {
  Value pod = kPod;
  pod["status"] = pod_status(kPod, std::array{state}, "198.18.0.1", kNow);
  return pod;
}

std::string phase_of(const ContainerState& state) {
  return std::string(with_status(state).find_path({"status", "phase"})->string_or_empty());
}

TEST(PodStatuses, FollowTheirContainers) {
  EXPECT_EQ(phase_of({}), "Pending");
  EXPECT_EQ(phase_of({.phase = ContainerPhase::Running, .started = kNow}), "Running");
  EXPECT_EQ(phase_of({.phase = ContainerPhase::Ended}), "Succeeded");
  EXPECT_EQ(phase_of({.phase = ContainerPhase::Ended, .exit_code = 2}), "Failed");
  EXPECT_EQ(phase_of({.phase = ContainerPhase::Waiting, .comes_again = true}), "Running");
}

TEST(PodStatuses, AreReadyWhileAllContainersRun) {
  const Value running = with_status({.phase = ContainerPhase::Running, .started = kNow});
  EXPECT_TRUE(api::is_condition_true(running, "Ready"));
  EXPECT_EQ(running.find_path({"status", "podIP"})->string_or_empty(), "198.18.0.1");
  EXPECT_TRUE(api::is_condition_false(with_status({}), "Ready"));
}

TEST(PodStatuses, TellWhyAContainerWaitsAndHowItEndedBefore) {
  const Value pod = with_status({.phase = ContainerPhase::Waiting,
                                 .reason = "CrashLoopBackOff",
                                 .started = kNow,
                                 .ended = kNow,
                                 .exit_code = 3,
                                 .restarts = 4,
                                 .comes_again = true});
  const Value& status = pod.find_path({"status", "containerStatuses"})->elements()[0];
  EXPECT_EQ(status.find_path({"state", "waiting", "reason"})->string_or_empty(),
            "CrashLoopBackOff");
  EXPECT_EQ(status.find_path({"lastState", "terminated", "exitCode"})->as_int(), 3);
  EXPECT_EQ(status.find("restartCount")->as_int(), 4);
}

TEST(RestartPolicies, SayWhatComesAgain) {
  EXPECT_TRUE(is_restarted(RestartPolicy::Always, 0));
  EXPECT_FALSE(is_restarted(RestartPolicy::OnFailure, 0));
  EXPECT_TRUE(is_restarted(RestartPolicy::OnFailure, 1));
  EXPECT_FALSE(is_restarted(RestartPolicy::Never, 1));
  EXPECT_EQ(restart_policy(kPod), RestartPolicy::Always);
}

}  // namespace
}  // namespace berth::local
