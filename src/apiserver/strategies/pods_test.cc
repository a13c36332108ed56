#include "apiserver/strategies/pods.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kPods = "/api/v1/namespaces/team/pods";
const std::string kClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";

std::string pod(std::string_view name, std::string_view more = "") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}"}},"spec":{{"containers":[{{"name":"c","image":"i"}}]{}}}}})",
      name, more);
}

TEST(Pods, ANewOneIsPendingAndDefaulted) {
  TestHub hub;
  const HubAnswer made = hub.post(kPods, pod("p"));
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/status/phase"), "Pending");
  EXPECT_EQ(made.at("/status/qosClass"), "BestEffort");
  EXPECT_EQ(made.at("/spec/schedulerName"), "default-scheduler");
  EXPECT_EQ(made.at("/spec/restartPolicy"), "Always");
}

TEST(Pods, ThePriorityIsThatOfTheClass) {
  TestHub hub;
  EXPECT_EQ(hub.post(kPods, pod("p", R"(,"priorityClassName":"high")")).status, 403);
  hub.post(kClasses, R"({"metadata":{"name":"high"},"value":1000})");
  hub.post(kClasses, R"({"metadata":{"name":"usual"},"value":5,"globalDefault":true})");
  EXPECT_EQ(hub.post(kPods, pod("p", R"(,"priorityClassName":"high")")).at("/spec/priority"),
            "1000");
  const HubAnswer unsaid = hub.post(kPods, pod("q"));
  EXPECT_EQ(unsaid.at("/spec/priority"), "5");
  EXPECT_EQ(unsaid.at("/spec/priorityClassName"), "usual");
}

TEST(Pods, LittleOfARunningPodCanBeChanged) {
  TestHub hub;
  hub.post(kPods, pod("p"));
  EXPECT_EQ(hub.merge(kPods + "/p", R"({"metadata":{"labels":{"x":"y"}}})").status, 200);
  const HubAnswer refused = hub.merge(kPods + "/p", R"({"spec":{"nodeName":"n"}})");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.at("/details/kind"), "Pod");
}

TEST(Pods, TheStatusIsTheKubelets) {
  TestHub hub;
  hub.post(kPods, pod("p"));
  const HubAnswer status =
      hub.merge(kPods + "/p/status", R"({"status":{"phase":"Running","podIP":"10.1.1.1"}})");
  EXPECT_EQ(status.status, 200) << status.body;
  EXPECT_EQ(status.at("/status/phase"), "Running");
  EXPECT_EQ(hub.merge(kPods + "/p", R"({"status":{"phase":"Failed"}})").at("/status/phase"),
            "Running");
}

}  // namespace
}  // namespace berth::apiserver
