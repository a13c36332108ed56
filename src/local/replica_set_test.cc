#include "local/replica_set.h"

#include <gtest/gtest.h>

#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using json::Value;
using testing::kNow;
using testing::parsed;
using testing::pod;
using testing::pointers;
using testing::ready_pod;
using Names = std::vector<std::string>;

Value set_of(int replicas) {
  Value set = parsed(R"({"apiVersion":"apps/v1","kind":"ReplicaSet",
      "metadata":{"name":"web","namespace":"ns","uid":"u1","generation":4},
      "spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}})");
  set["spec"]["replicas"] = replicas;
  return set;
}

TEST(ReplicaSets, CreateThePodsThatAreMissing) {
  const std::vector<Value> pods = {ready_pod("a", kNow), pod("gone", "Failed")};
  const WorkloadPlan plan = plan_replica_set(set_of(3), pointers(pods), kNow);
  EXPECT_EQ(testing::created(plan, Kind::Pods).size(), 2U);
  EXPECT_EQ(testing::removed(plan, Kind::Pods), Names());
}

TEST(ReplicaSets, RemoveWhatIsTooManyBeginningWithWhatIsMissedLeast) {
  const std::vector<Value> pods = {ready_pod("a", kNow), pod("b", "Pending"), pod("c", "Pending")};
  const WorkloadPlan plan = plan_replica_set(set_of(1), pointers(pods), kNow);
  EXPECT_EQ(testing::removed(plan, Kind::Pods), (Names{"b", "c"}));
}

TEST(ReplicaSets, TellHowManyPodsThereAre) {
  const std::vector<Value> pods = {ready_pod("a", kNow), pod("b", "Running")};
  const WorkloadPlan plan = plan_replica_set(set_of(2), pointers(pods), kNow);
  EXPECT_EQ(*testing::after(plan, Kind::ReplicaSets).find("status"),
            parsed(R"({"replicas":2,"fullyLabeledReplicas":2,"readyReplicas":1,
                       "availableReplicas":1,"observedGeneration":4})"));
}

TEST(ReplicaSets, LookAgainWhenAPodHasBeenReadyForLongEnough) {
  Value set = set_of(1);
  set["spec"]["minReadySeconds"] = 30;
  const std::vector<Value> pods = {ready_pod("a", kNow)};
  const WorkloadPlan plan = plan_replica_set(set, pointers(pods), kNow + 10s);
  EXPECT_EQ(
      testing::after(plan, Kind::ReplicaSets).find_path({"status", "availableReplicas"})->as_int(),
      0);
  EXPECT_EQ(plan.again, kNow + 30s);
}

TEST(ReplicaSets, ChangeNothingWhenAllIsAsItShouldBe) {
  const std::vector<Value> pods = {ready_pod("a", kNow)};
  const WorkloadPlan first = plan_replica_set(set_of(1), pointers(pods), kNow);
  const Value settled = testing::after(first, Kind::ReplicaSets);
  EXPECT_TRUE(plan_replica_set(settled, pointers(pods), kNow).changes.empty());
}

TEST(ReplicaSets, MakeNoPodsWhileTheyAreBeingDeleted) {
  Value set = set_of(3);
  set["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_TRUE(testing::created(plan_replica_set(set, {}, kNow), Kind::Pods).empty());
}

}  // namespace
}  // namespace berth::local
