#include "local/workloads_controller.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "api/metadata.h"
#include "control/testing/model_hub_service.h"
#include "local/testing/workloads.h"
#include "local/workload_caches_service.h"
#include "sim/world.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using json::Value;

const client::Gvr kDeployments{"apps", "v1", "deployments"};
const client::Gvr kReplicaSets{"apps", "v1", "replicasets"};
const client::Gvr kPods{"", "v1", "pods"};
const client::Gvr kDaemonSets{"apps", "v1", "daemonsets"};
const client::Gvr kNodes{"", "v1", "nodes"};

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        caches(workload_caches(env, api)),
        controller(env, api, caches, [] { return true; }) {}

  client::Api api;
  client::Informers caches;
  WorkloadsController controller;
};

class RunningWorkloads : public ::testing::Test {
 protected:
  RunningWorkloads() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
    hub_.put(kDeployments, testing::parsed(R"({"apiVersion":"apps/v1","kind":"Deployment",
        "metadata":{"name":"web","namespace":"ns"},
        "spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},
                "template":{"metadata":{"labels":{"app":"web"}},
                            "spec":{"containers":[{"name":"c","image":"v1"}]}}}})"));
    world_.run_for(5s);
  }

  std::vector<Value> pods() {
    std::vector<Value> found;
    for (const auto& [key, object] : hub_.store(kPods).state()) found.push_back(object);
    return found;
  }

  // What a kubelet would do.
  void run_pods() {
    for (Value pod : pods()) {
      pod["spec"]["nodeName"] = "n";
      pod["status"] = *testing::ready_pod("", testing::kNow).find("status");
      hub_.put(kPods, std::move(pod));
    }
  }

  void put_node(const std::string& name) {
    hub_.put(kNodes, testing::parsed(R"({"metadata":{"name":")" + name + R"("},"status":{
        "conditions":[{"type":"Ready","status":"True"}]}})"));
  }

  control::testing::ModelHub hub_;
  sim::World world_;
};

TEST_F(RunningWorkloads, GivesADeploymentItsPodsAndNoMore) {
  ASSERT_EQ(pods().size(), 3U);
  EXPECT_EQ(api::Metadata(pods()[0]).controller()->kind, "ReplicaSet");
  world_.run_for(10min);
  EXPECT_EQ(pods().size(), 3U);
}

TEST_F(RunningWorkloads, ReplacesAPodThatIsDeleted) {
  const std::string lost(api::Metadata(pods()[0]).name());
  hub_.erase(kPods, "ns/" + lost);
  world_.run_for(1s);
  EXPECT_EQ(pods().size(), 3U);
  EXPECT_FALSE(hub_.find(kPods, "ns/" + lost));
}

TEST_F(RunningWorkloads, TellsWhenAllIsAvailable) {
  run_pods();
  world_.run_for(2s);
  const Value* deployment = hub_.find(kDeployments, "ns/web");
  EXPECT_EQ(deployment->find_path({"status", "availableReplicas"})->as_int(), 3);
}

TEST_F(RunningWorkloads, RollsANewTemplateOut) {
  run_pods();
  world_.run_for(2s);
  Value deployment = *hub_.find(kDeployments, "ns/web");
  deployment["spec"]["template"]["spec"]["containers"].elements()[0]["image"] = "v2";
  hub_.put(kDeployments, deployment);
  for (int i = 0; i < 20; ++i) {
    world_.run_for(1s);
    run_pods();
  }
  ASSERT_EQ(pods().size(), 3U);
  for (const Value& pod : pods()) {
    EXPECT_EQ(pod.find_path({"spec", "containers"})->elements()[0].find("image")->string_or_empty(),
              "v2");
  }
  EXPECT_EQ(hub_.store(kReplicaSets).state().size(), 2U) << "the old one stays for a way back";
}

TEST_F(RunningWorkloads, FollowsTheNodesWithADaemonSet) {
  hub_.erase(kDeployments, "ns/web");
  hub_.store(kReplicaSets).erase(hub_.store(kReplicaSets).state().begin()->first);
  for (const Value& pod : pods()) hub_.erase(kPods, "ns/" + std::string(api::Metadata(pod).name()));
  put_node("a");
  hub_.put(kDaemonSets, testing::parsed(R"({"apiVersion":"apps/v1","kind":"DaemonSet",
      "metadata":{"name":"log","namespace":"ns"},
      "spec":{"template":{"metadata":{"labels":{"app":"log"}},
                          "spec":{"containers":[{"name":"c","image":"v1"}]}}}})"));
  world_.run_for(2s);
  ASSERT_EQ(pods().size(), 1U);
  EXPECT_EQ(api::Metadata(pods()[0]).controller()->kind, "DaemonSet");
  put_node("b");
  world_.run_for(2s);
  EXPECT_EQ(pods().size(), 2U);
  hub_.erase(kNodes, "a");
  world_.run_for(2s);
  EXPECT_EQ(pods().size(), 1U);
  EXPECT_EQ(
      hub_.find(kDaemonSets, "ns/log")->find_path({"status", "desiredNumberScheduled"})->as_int(),
      1);
}

}  // namespace
}  // namespace berth::local
