#include "scores/usage/usage_agent_service.h"

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/add_on_placement_score.h"
#include "api/kinds/fields.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "sim/world.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using json::Value;

const client::Gvr kNodes{"", "v1", "nodes"};
const client::Gvr kPods{"", "v1", "pods"};
const client::Gvr kLeases{"coordination.k8s.io", "v1", "leases"};
const client::Gvr kPlacements{"cluster.open-cluster-management.io", "v1beta1", "placements"};
const client::Gvr kAddOns{"addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons"};

client::ClientConfig config_of(const std::string& machine) {
  client::ClientConfig config = client::testing::model_config("http");
  config.server.host = machine;
  return config;
}

const client::ApiOptions kApiOptions = {.rate = {.per_second = 0},
                                        .call = {.timeout = 5s, .retry = {.attempts_max = 1}}};

struct Program {
  Program(env::Env& env, const UsageAgentOptions& options)
      : cluster(env, config_of("cluster"), kApiOptions),
        hub(env, config_of("server"), kApiOptions),
        agent(env, cluster, hub, options) {}

  client::Api cluster;
  client::Api hub;
  UsageAgent agent;
};

class Agent : public ::testing::Test {
 protected:
  Agent() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      hub_.calendar = [&clock = loops[0].clock] { return clock.now(); };
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("cluster").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    put_node("n1", 10);
  }

  void start(UsageAgentOptions options = {.cluster = "c1"}) {
    options.usage.resources = {parse_resource("cpu,max=10").value()};
    world_.add_node("agent").start([this, options](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0], options);
      program_ = program.get();
      return program;
    });
    world_.run_for(1s);
  }

  void put_node(const std::string& name, int cpu) {
    cluster_.put(
        kNodes,
        json::parse(fmt::format(
                        R"({{"metadata":{{"name":"{}"}},"status":{{"allocatable":{{"cpu":"{}"
                                 }},"conditions":[{{"type":"Ready","status":"True"}}]}}}})",
                        name, cpu))
            .value());
  }
  void put_pod(const std::string& name, int cpu) {
    cluster_.put(
        kPods,
        json::parse(fmt::format(
                        R"({{"metadata":{{"name":"{}","namespace":"ns"}},"spec":{{"nodeName":"n1",
                       "containers":[{{"name":"c","resources":{{"requests":{{"cpu":"{}"}}}}}}]}},
                       "status":{{"phase":"Running"}}}})",
                        name, cpu))
            .value());
  }

  const Value* object(const std::string& name = "resource-usage-score") {
    return hub_.find(score_resource(), "c1/" + name);
  }
  std::int32_t score() {
    if (!object()) return -1000;
    const auto read = api::read_add_on_placement_score(*object());
    return read.scores.empty() ? -1000 : read.scores[0].value;
  }
  Duration left() {
    const Time now = world_.node("server").clock().wall(world_.now());
    return *api::read_add_on_placement_score(*object()).valid_until - now;
  }
  std::string renewed() {
    const Value* lease =
        cluster_.find(kLeases, "open-cluster-management-agent-addon/resource-usage-collect");
    return lease ? api::text_field(api::field(*lease, "spec"), "renewTime") : "";
  }
  std::string condition() {
    const Value* conditions = object()->find_path({"status", "conditions"});
    return api::text_field(conditions->elements()[0], "reason");
  }

  void set_reachable(const std::string& machine, bool reachable) {
    for (const auto& [from, to] : {std::pair<std::string, std::string>("agent", machine),
                                   std::pair<std::string, std::string>(machine, "agent")}) {
      reachable ? world_.fabric().unblock(from, to) : world_.fabric().block(from, to);
    }
  }

  control::testing::ModelHub hub_;
  control::testing::ModelHub cluster_;
  Program* program_ = nullptr;
  sim::World world_;
};

TEST_F(Agent, PublishesWhatIsFreeAndFollowsEveryChange) {
  start();
  EXPECT_EQ(score(), 100);
  put_pod("p", 4);
  world_.run_for(1s);
  EXPECT_EQ(score(), 60);
  EXPECT_TRUE(program_->agent.readiness().ok());
  cluster_.erase(kPods, "ns/p");
  world_.run_for(11s);
  EXPECT_EQ(score(), 100);
}

TEST_F(Agent, LetsItsScoresLapseWhenTheClusterIsOutOfReach) {
  start();
  world_.run_for(2min);
  set_reachable("cluster", false);
  world_.run_for(120s + 180s);
  EXPECT_LE(left(), 0s);
  EXPECT_EQ(score(), 100) << "kept, but lapsed";
  EXPECT_EQ(condition(), "SourceUnavailable");
  EXPECT_FALSE(program_->agent.readiness().ok());
  const std::string before = renewed();
  world_.run_for(5min);
  EXPECT_EQ(renewed(), before) << "the lease tells, too";
  put_pod("p", 4);
  set_reachable("cluster", true);
  world_.run_for(5min);
  EXPECT_EQ(score(), 60);
  EXPECT_GT(left(), 100s);
  EXPECT_EQ(condition(), "AddOnPlacementScoreUpdated");
  EXPECT_TRUE(program_->agent.readiness().ok());
}

TEST_F(Agent, KeepsItsLeaseOnlyWhileItCanPublish) {
  start();
  world_.run_for(2s);
  const std::string first = renewed();
  EXPECT_NE(first, "");
  world_.run_for(61s);
  const std::string second = renewed();
  EXPECT_GT(second, first);
  set_reachable("server", false);
  world_.run_for(5min);
  const std::string last = renewed();
  EXPECT_FALSE(program_->agent.readiness().ok());
  world_.run_for(5min);
  EXPECT_EQ(renewed(), last);
  set_reachable("server", true);
  world_.run_for(3min);
  EXPECT_GT(renewed(), last);
}

TEST_F(Agent, TellsTheHubThatTheClusterCannotBeRead) {
  set_reachable("cluster", false);
  start();
  EXPECT_EQ(score(), -1000);
  world_.run_for(2min);
  EXPECT_EQ(score(), -1000);
  EXPECT_EQ(condition(), "SourceUnavailable");
}

TEST_F(Agent, GivesTheObjectToItsAddOn) {
  hub_.put(
      kAddOns,
      json::parse(R"({"metadata":{"name":"resource-usage-collect","namespace":"c1"}})").value());
  start();
  const auto owners = api::Metadata(*object()).owner_references();
  ASSERT_EQ(owners.size(), 1U);
  EXPECT_EQ(owners[0].kind, "ManagedClusterAddOn");
  EXPECT_EQ(owners[0].uid, api::Metadata(*hub_.find(kAddOns, "c1/resource-usage-collect")).uid());
  EXPECT_FALSE(owners[0].blocks_owner_deletion);
}

TEST_F(Agent, MakesTheObjectWhenAPlacementAsksForIt) {
  start({.cluster = "c1", .score_object = "test-score1", .creation = Creation::OnDemand});
  world_.run_for(5min);
  EXPECT_EQ(object("test-score1"), nullptr);
  EXPECT_TRUE(program_->agent.readiness().ok());
  hub_.put(kPlacements, json::parse(R"({"metadata":{"name":"p","namespace":"ns1"},"spec":{
      "prioritizerPolicy":{"configurations":[{"scoreCoordinate":{"type":"AddOn","addOn":{
      "resourceName":"test-score1","scoreName":"cpuAvailable"}}}]}}})")
                            .value());
  world_.run_for(1s);
  ASSERT_NE(object("test-score1"), nullptr);
  EXPECT_EQ(api::read_add_on_placement_score(*object("test-score1")).scores.size(), 1U);
}

}  // namespace
}  // namespace berth::scores
