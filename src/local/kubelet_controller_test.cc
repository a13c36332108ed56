#include "local/kubelet_controller.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "control/testing/model_hub_service.h"
#include "local/imaginary_runtime_service.h"
#include "local/testing/workloads.h"
#include "local/workload_caches_service.h"
#include "sim/world.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using json::Value;

const client::Gvr kPods{"", "v1", "pods"};
const client::Gvr kSecrets{"", "v1", "secrets"};

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        runtime(env),
        caches(workload_caches(env, api)),
        kubelet(
            env, api, caches,
            {.owns = [](std::string_view node) { return node == "n1"; }, .runtimes = {&runtime}}) {}

  client::Api api;
  ImaginaryRuntime runtime;
  client::Informers caches;
  KubeletController kubelet;
};

class SimulatedNodes : public ::testing::Test {
 protected:
  SimulatedNodes() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
  }

  void put_pod(std::string_view node, std::string_view changes = "{}") {
    Value pod = testing::pod("p", "Pending");
    pod["spec"]["nodeName"] = node;
    pod["spec"]["containers"] = testing::parsed(R"([{"name":"c","image":"i"}])");
    for (const json::Member& member : testing::parsed(changes).members()) {
      for (const json::Member& inner : member.value.members()) {
        pod[member.name()][inner.name()] = inner.value;
      }
    }
    hub_.put(kPods, std::move(pod));
    world_.run_for(2s);
  }

  std::string text(std::initializer_list<std::string_view> path) {
    const Value* found = hub_.find(kPods, "ns/p")->find_path(path);
    return found ? std::string(found->string_or_empty()) : "";
  }
  const Value& container() {
    return hub_.find(kPods, "ns/p")->find_path({"status", "containerStatuses"})->elements()[0];
  }

  control::testing::ModelHub hub_;
  sim::World world_;
};

TEST_F(SimulatedNodes, RunThePodsThatAreBoundToThem) {
  put_pod("n1");
  EXPECT_EQ(text({"status", "phase"}), "Running");
  EXPECT_TRUE(api::is_condition_true(*hub_.find(kPods, "ns/p"), "Ready"));
  EXPECT_TRUE(text({"status", "podIP"}).starts_with("198.18."));
}

TEST_F(SimulatedNodes, LeaveThePodsOfOthersAlone) {
  put_pod("n2");
  EXPECT_EQ(text({"status", "phase"}), "Pending");
}

TEST_F(SimulatedNodes, LetAPodEndThatMay) {
  put_pod("n1", R"({"spec":{"restartPolicy":"Never"},
                    "metadata":{"annotations":{"local.berth.dev/runs-for":"30s",
                                               "local.berth.dev/exit-code":"3"}}})");
  world_.run_for(20s);
  EXPECT_EQ(text({"status", "phase"}), "Running");
  world_.run_for(20s);
  EXPECT_EQ(text({"status", "phase"}), "Failed");
  EXPECT_EQ(container().find_path({"state", "terminated", "exitCode"})->as_int(), 3);
}

TEST_F(SimulatedNodes, RestartWithGrowingPauses) {
  put_pod("n1", R"({"metadata":{"annotations":{"local.berth.dev/runs-for":"1s",
                                               "local.berth.dev/exit-code":"1"}}})");
  world_.run_for(5s);
  EXPECT_EQ(container().find_path({"state", "waiting", "reason"})->string_or_empty(),
            "CrashLoopBackOff");
  EXPECT_EQ(text({"status", "phase"}), "Running");
  world_.run_for(10min);
  const auto restarts = container().find("restartCount")->as_int();
  EXPECT_GE(restarts, 4);
  EXPECT_LE(restarts, 8);
}

TEST_F(SimulatedNodes, SayWhatIsWrongWithAnAnnotation) {
  put_pod("n1", R"({"metadata":{"annotations":{"local.berth.dev/runs-for":"a while"}}})");
  EXPECT_EQ(container().find_path({"state", "waiting", "message"})->string_or_empty(),
            "annotation local.berth.dev/runs-for: \"a while\" is no number of seconds such as 30s");
}

TEST_F(SimulatedNodes, WaitForASecretAndStartWhenItIsThere) {
  put_pod("n1", R"({"spec":{
      "volumes":[{"name":"v","secret":{"secretName":"s"}}],
      "containers":[{"name":"c","image":"i","volumeMounts":[{"name":"v","mountPath":"/s"}]}]}})");
  EXPECT_EQ(container().find_path({"state", "waiting", "message"})->string_or_empty(),
            "secret \"s\" not found");
  hub_.put(kSecrets, testing::parsed(R"({"metadata":{"name":"s","namespace":"ns"}})"));
  world_.run_for(3s);
  EXPECT_EQ(text({"status", "phase"}), "Running");
}

TEST_F(SimulatedNodes, RemoveAPodWhoseDeletionWasAskedFor) {
  put_pod("n1");
  Value pod = *hub_.find(kPods, "ns/p");
  pod["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  hub_.put(kPods, std::move(pod));
  world_.run_for(2s);
  EXPECT_FALSE(hub_.find(kPods, "ns/p"));
}

}  // namespace
}  // namespace berth::local
