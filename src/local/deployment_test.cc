#include "local/deployment.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/metadata.h"
#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using json::Value;
using testing::kNow;
using testing::parsed;
using testing::pointers;

Value deployment_of(int replicas, std::string_view image) {
  Value deployment = parsed(R"({"apiVersion":"apps/v1","kind":"Deployment",
      "metadata":{"name":"web","namespace":"ns","uid":"u1","generation":2},
      "spec":{"selector":{"matchLabels":{"app":"web"}},
              "template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{}]}}}})");
  deployment["spec"]["replicas"] = replicas;
  deployment["spec"]["template"]["spec"]["containers"].elements()[0]["image"] = image;
  return deployment;
}

Value first_set(const Value& deployment) {
  const auto sets = testing::created(plan_deployment(deployment, {}, kNow), Kind::ReplicaSets);
  return sets.at(0);
}

Value with_pods(Value set, int count) {
  set["status"] =
      Value::object({{"replicas", count}, {"readyReplicas", count}, {"availableReplicas", count}});
  return set;
}

TEST(Deployments, MakeAReplicaSetOfTheirTemplate) {
  const Value set = first_set(deployment_of(3, "v1"));
  const std::string hash(*api::Metadata(set).labels().find("pod-template-hash"));
  EXPECT_EQ(api::Metadata(set).name(), "web-" + hash);
  EXPECT_EQ(set.find_path({"spec", "replicas"})->as_int(), 3);
  EXPECT_EQ(*set.find_path({"spec", "selector", "matchLabels"}),
            Value::object({{"app", "web"}, {"pod-template-hash", hash}}));
  EXPECT_EQ(api::Metadata(set).annotations().find("deployment.kubernetes.io/revision"), "1");
  EXPECT_EQ(api::Metadata(set).controller()->uid, "u1");
}

TEST(Deployments, AreDoneWhenAllPodsOfTheNewSetAreAvailable) {
  const Value deployment = deployment_of(2, "v1");
  const std::vector<Value> sets = {with_pods(first_set(deployment), 2)};
  const Value after =
      testing::after(plan_deployment(deployment, pointers(sets), kNow), Kind::Deployments);
  EXPECT_TRUE(api::is_condition_true(after, "Available"));
  const Value* progressing =
      api::find_condition(*after.find_path({"status", "conditions"}), "Progressing");
  ASSERT_TRUE(progressing);
  EXPECT_EQ(progressing->find("reason")->string_or_empty(), "NewReplicaSetAvailable");
  EXPECT_EQ(after.find_path({"status", "updatedReplicas"})->as_int(), 2);
  EXPECT_EQ(after.find_path({"status", "unavailableReplicas"}), nullptr);
  EXPECT_EQ(after.find_path({"status", "observedGeneration"})->as_int(), 2);
  EXPECT_TRUE(plan_deployment(after, pointers(sets), kNow).changes.empty());
}

TEST(Deployments, RollFromOneTemplateToTheNext) {
  Value old = with_pods(first_set(deployment_of(4, "v1")), 4);
  const Value next = deployment_of(4, "v2");
  std::vector<Value> sets = {old};
  const auto made =
      testing::created(plan_deployment(next, pointers(sets), kNow), Kind::ReplicaSets);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].find_path({"spec", "replicas"})->as_int(), 1) << "25% more";
  EXPECT_EQ(api::Metadata(made[0]).annotations().find("deployment.kubernetes.io/revision"), "2");

  sets.push_back(with_pods(made[0], 1));
  const Value shrunk =
      testing::after(plan_deployment(next, pointers(sets), kNow), Kind::ReplicaSets);
  EXPECT_EQ(api::Metadata(shrunk).name(), api::Metadata(old).name());
  EXPECT_EQ(shrunk.find_path({"spec", "replicas"})->as_int(), 2)
      << "one may be missing, and one is new";
}

TEST(Deployments, GoBackToASetThatIsStillThere) {
  Value old = with_pods(first_set(deployment_of(1, "v1")), 0);
  old["spec"]["replicas"] = 0;
  const Value current = with_pods(
      testing::created(plan_deployment(deployment_of(1, "v2"), pointers(std::vector{old}), kNow),
                       Kind::ReplicaSets)
          .at(0),
      1);
  const std::vector<Value> sets = {old, current};
  const WorkloadPlan plan = plan_deployment(deployment_of(1, "v1"), pointers(sets), kNow);
  EXPECT_TRUE(testing::created(plan, Kind::ReplicaSets).empty());
  const Value returned = testing::after(plan, Kind::ReplicaSets);
  EXPECT_EQ(api::Metadata(returned).name(), api::Metadata(old).name());
  EXPECT_EQ(api::Metadata(returned).annotations().find("deployment.kubernetes.io/revision"), "3");
}

TEST(Deployments, OnlyChangeTheirSizeWhilePaused) {
  const Value set = with_pods(first_set(deployment_of(2, "v1")), 2);
  Value paused = deployment_of(5, "v2");
  paused["spec"]["paused"] = true;
  const WorkloadPlan plan = plan_deployment(paused, pointers(std::vector{set}), kNow);
  EXPECT_TRUE(testing::created(plan, Kind::ReplicaSets).empty());
  EXPECT_EQ(testing::after(plan, Kind::ReplicaSets).find_path({"spec", "replicas"})->as_int(), 5);
}

TEST(Deployments, ForgetTheOldestOfTheirHistory) {
  Value deployment = deployment_of(1, "v9");
  deployment["spec"]["revisionHistoryLimit"] = 1;
  std::vector<Value> sets;
  for (const std::string_view image : {"v1", "v2"}) {
    Value set = first_set(deployment_of(1, image));
    set["spec"]["replicas"] = 0;
    set["metadata"]["annotations"]["deployment.kubernetes.io/revision"] = image.substr(1);
    sets.push_back(set);
  }
  EXPECT_EQ(testing::removed(plan_deployment(deployment, pointers(sets), kNow), Kind::ReplicaSets),
            std::vector<std::string>{std::string(api::Metadata(sets[0]).name())});
}

}  // namespace
}  // namespace berth::local
