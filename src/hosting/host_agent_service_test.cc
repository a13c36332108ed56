#include "hosting/host_agent_service.h"

#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "control/testing/model_hub_service.h"
#include "hosting/names.h"
#include "hosting/testing/hosting_builder.h"
#include "sim/node.h"
#include "sim/world.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using json::Value;
using testing::parsed;

const client::Gvr kHosted{"hypershift.openshift.io", "v1beta1", "hostedclusters"};
const client::Gvr kNodes{"", "v1", "nodes"};
const client::Gvr kPods{"", "v1", "pods"};
const client::Gvr kClaims{"cluster.open-cluster-management.io", "v1alpha1", "clusterclaims"};
const client::Gvr kLedgers{"hosting.berth.dev", "v1alpha1", "hostingledgers"};

client::ClientConfig config_of(const std::string& machine) {
  client::ClientConfig config = client::testing::model_config("http");
  config.server.host = machine;
  return config;
}

const client::ApiOptions kApiOptions = {.rate = {.per_second = 0},
                                        .call = {.timeout = 5s, .retry = {.attempts_max = 1}}};

struct Program {
  explicit Program(env::Env& env)
      : cluster(env, config_of("cluster"), kApiOptions),
        hub(env, config_of("hub"), kApiOptions),
        agent(env, cluster, hub, {.cluster = "h", .thresholds = {.hosted_max = 2, .threshold = 1}},
              {.hub_time =
                   [this, &env] {
                     return knows_time ? std::optional(env.clock.now()) : std::nullopt;
                   },
               .changed = [] {}}) {}

  client::Api cluster;
  client::Api hub;
  bool knows_time = true;
  HostAgent agent;
};

class HostAgentTest : public ::testing::Test {
 protected:
  HostAgentTest() : world_(sim::WorldOptions{}) {
    world_.add_node("hub").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("cluster").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    cluster_.put(kNodes, parsed(R"({"metadata":{"name":"n"},"status":{"allocatable":{"cpu":"64",
        "memory":"256G","pods":"500"},"conditions":[{"type":"Ready","status":"True"}]}})"));
    hub_.on_write = [this](const control::testing::ModelHub::Written&) { ++hub_writes_; };
  }

  void start() {
    world_.add_node("agent").start([this](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0]);
      program_ = program.get();
      return program;
    });
    world_.run_for(10s);
  }

  void put_ledger() { hub_.put(kLedgers, new_ledger("h")); }
  void put_hosted(const std::string& name, std::string_view available) {
    cluster_.put(kHosted, parsed(fmt::format(R"({{"metadata":{{"name":"{}","namespace":"clusters"}},
        "status":{{"conditions":[{{"type":"Available","status":"{}"}}]}}}})",
                                             name, available)));
  }
  void put_pod() {
    cluster_.put(kPods, parsed(R"({"metadata":{"name":"etcd-0","namespace":"clusters-a"},"spec":
        {"nodeName":"n","containers":[{"name":"etcd","resources":{"requests":{"cpu":"4",
        "memory":"16G"}}}]},"status":{"phase":"Running"}})"));
  }

  std::optional<ExactObservation> observed() {
    const Value* ledger = hub_.find(kLedgers, "h/hosting");
    return ledger ? read_ledger(*ledger).observed : std::nullopt;
  }
  std::string claim(std::string_view name) {
    const Value* found = cluster_.find(kClaims, std::string(name));
    return found ? api::text_field(api::field(*found, "spec"), "value") : "none";
  }

  control::testing::ModelHub hub_;
  control::testing::ModelHub cluster_;
  int hub_writes_ = 0;
  sim::World world_;
  Program* program_ = nullptr;
};

TEST_F(HostAgentTest, WritesDownWhatThereIsAndFollowsIt) {
  put_ledger();
  put_hosted("a", "True");
  put_pod();
  start();
  ASSERT_TRUE(observed());
  EXPECT_EQ(observed()->items, (std::vector<ObservedItem>{{"clusters/a", true}}));
  EXPECT_EQ(observed()->capacity[Resource::Cpu], 64'000);
  EXPECT_EQ(observed()->free[Resource::Cpu], 60'000);
  EXPECT_EQ(observed()->free[Resource::Pods], 499);
  EXPECT_EQ(program_->agent.count(), 1);
  EXPECT_TRUE(program_->agent.readiness().ok());

  put_hosted("b", "False");
  world_.run_for(5s);
  EXPECT_EQ(observed()->items,
            (std::vector<ObservedItem>{{"clusters/a", true}, {"clusters/b", false}}));
  cluster_.erase(kHosted, "clusters/a");
  world_.run_for(5s);
  EXPECT_EQ(observed()->items, (std::vector<ObservedItem>{{"clusters/b", false}}));
}

TEST_F(HostAgentTest, MakesTheClaimsOfTheAddOnAlsoBeforeThereIsALedger) {
  start();
  EXPECT_EQ(claim(kHostingClaim), "true");
  EXPECT_EQ(claim(kZeroClaim), "true");
  EXPECT_FALSE(observed());
  EXPECT_FALSE(program_->agent.readiness().ok());
  put_ledger();
  put_hosted("a", "True");
  put_hosted("b", "True");
  world_.run_for(20s);
  EXPECT_EQ(claim(kZeroClaim), "false");
  EXPECT_EQ(claim(kThresholdClaim), "true");
  EXPECT_EQ(claim(kFullClaim), "true");
  ASSERT_TRUE(observed());
  EXPECT_EQ(observed()->items.size(), 2U);
  EXPECT_TRUE(program_->agent.readiness().ok());
}

TEST_F(HostAgentTest, ClaimsWhileTheHubIsNotHeardOf) {
  put_ledger();
  world_.add_node("agent").start([this](std::span<env::Env> loops) {
    auto program = std::make_shared<Program>(loops[0]);
    program->knows_time = false;
    program_ = program.get();
    return program;
  });
  world_.run_for(10s);
  EXPECT_EQ(claim(kHostingClaim), "true");
  EXPECT_FALSE(observed());
  EXPECT_FALSE(program_->agent.readiness().ok());
  program_->knows_time = true;
  world_.run_for(10s);
  EXPECT_TRUE(observed());
}

TEST_F(HostAgentTest, RefreshesInTimeAndNotMoreOftenThanThat) {
  put_ledger();
  start();
  hub_writes_ = 0;
  const Time before = observed()->at;
  world_.run_for(5min);
  EXPECT_GT(observed()->at, before + 4min);
  EXPECT_GE(hub_writes_, 9);
  EXPECT_LE(hub_writes_, 12);
}

TEST_F(HostAgentTest, VouchesForNothingWhenItsClusterIsNotHeardOf) {
  put_ledger();
  put_hosted("a", "True");
  start();
  world_.node("cluster").crash(sim::Crash::Power);
  world_.run_for(5min);
  const Time last = observed()->at;
  EXPECT_EQ(program_->agent.count(), std::nullopt);
  EXPECT_FALSE(program_->agent.readiness().ok());
  world_.run_for(5min);
  EXPECT_EQ(observed()->at, last) << "so it lapses";
  world_.node("cluster").restart();
  world_.run_for(2min);
  EXPECT_GT(observed()->at, last);
  EXPECT_TRUE(program_->agent.readiness().ok());
}

}  // namespace
}  // namespace berth::hosting
