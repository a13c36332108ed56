#include "local/binding_controller.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "local/testing/workloads.h"
#include "local/workload_caches_service.h"
#include "sim/world.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using client::testing::ModelAnswer;
using client::testing::ModelRequest;
using json::Value;

const client::Gvr kPods{"", "v1", "pods"};
const client::Gvr kNodes{"", "v1", "nodes"};

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        caches(workload_caches(env, api)),
        controller(env, api, caches, [] { return true; }) {}

  client::Api api;
  client::Informers caches;
  BindingController controller;
};

class UnscheduledPods : public ::testing::Test {
 protected:
  UnscheduledPods() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(
          loops[0], {.first = [this](const ModelRequest& request) { return bind(request); }}));
    });
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
  }

  // What the subresource "binding" does.
  std::optional<ModelAnswer> bind(const ModelRequest& request) {
    if (!request.path.ends_with("/binding")) return std::nullopt;
    if (refusals_ > 0) {
      --refusals_;
      return ModelAnswer{.status = 500, .document = testing::parsed(R"({"kind":"Status"})")};
    }
    const Value binding = json::parse(request.body).value();
    const std::string name(binding.find_path({"metadata", "name"})->string_or_empty());
    Value pod = *hub_.find(kPods, "ns/" + name);
    pod["spec"]["nodeName"] = binding.find_path({"target", "name"})->string_or_empty();
    hub_.put(kPods, std::move(pod));
    return ModelAnswer{.status = 201, .document = testing::parsed(R"({"kind":"Status"})")};
  }

  void put_node(const std::string& name) {
    hub_.put(kNodes, testing::parsed(R"({"metadata":{"name":")" + name + R"("},"status":{
        "conditions":[{"type":"Ready","status":"True"}]}})"));
    world_.run_for(1s);
  }

  void put_pod(const std::string& name, const std::string& scheduler) {
    Value pod = testing::pod(name, "Pending");
    pod["spec"]["schedulerName"] = scheduler;
    hub_.put(kPods, std::move(pod));
  }

  std::string node_of(const std::string& pod) {
    const Value* node = hub_.find(kPods, "ns/" + pod)->find_path({"spec", "nodeName"});
    return node ? std::string(node->string_or_empty()) : "";
  }

  int refusals_ = 0;
  control::testing::ModelHub hub_;
  sim::World world_;
};

TEST_F(UnscheduledPods, AreSpreadOverTheNodes) {
  put_node("n1");
  put_node("n2");
  for (int i = 0; i < 10; ++i) put_pod("p" + std::to_string(i), "default-scheduler");
  world_.run_for(2s);
  std::map<std::string, int> pods;
  for (int i = 0; i < 10; ++i) ++pods[node_of("p" + std::to_string(i))];
  EXPECT_EQ(pods, (std::map<std::string, int>{{"n1", 5}, {"n2", 5}}));
}

TEST_F(UnscheduledPods, WaitForANodeThatTakesThem) {
  put_pod("p", "default-scheduler");
  world_.run_for(2s);
  EXPECT_EQ(node_of("p"), "");
  put_node("n1");
  EXPECT_EQ(node_of("p"), "n1");
}

TEST_F(UnscheduledPods, AreLeftToTheSchedulerThatTheyName) {
  put_node("n1");
  put_pod("p", "berth");
  world_.run_for(2s);
  EXPECT_EQ(node_of("p"), "");
}

TEST_F(UnscheduledPods, AreTriedAgainWhenTheServerFails) {
  put_node("n1");
  refusals_ = 3;
  put_pod("p", "default-scheduler");
  world_.run_for(30s);
  EXPECT_EQ(node_of("p"), "n1");
}

}  // namespace
}  // namespace berth::local
