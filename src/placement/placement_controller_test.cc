#include "placement/placement_controller.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "json/print.h"
#include "sim/world.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using control::testing::ModelHub;
using json::Value;

// What `berth controllers` has, without leader election.
struct Program {
  Program(env::Env& env, PlacementControllerOptions options)
      : clock(env.clock),
        api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers(env, api),
        recorder(env, api, {.controller = "placement-controller", .instance = "test"}),
        controller(env, api, informers, recorder, [] { return true; }, options) {}

  env::Clock& clock;
  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  PlacementController controller;
};

class Deciding : public ::testing::Test {
 protected:
  Deciding() : world_(sim::WorldOptions{}) {
    hub_.on_write = [this](const ModelHub::Written& write) {
      if (write.what.find("events") == std::string::npos) writes_.push_back(write.what);
    };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    put(Watched::Sets, R"({"metadata":{"name":"s"},"spec":{"clusterSelector":
        {"selectorType":"LabelSelector","labelSelector":{}}}})");
    put(Watched::Bindings, R"({"metadata":{"name":"s","namespace":"ns"},
        "spec":{"clusterSet":"s"}})");
  }

  void start(PlacementControllerOptions options = {}) {
    world_.add_node("berth").start([this, options](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0], options);
      program_ = program;
      return program;
    });
    settle();
  }

  void settle() {
    EXPECT_TRUE(world_.run_until(
        [this] {
          const auto program = program_.lock();
          return program && program->controller.is_idle();
        },
        1min));
    world_.run_for(200ms);  // Until what was written last has come back.
  }

  void put(Watched kind, std::string_view text) {
    auto object = json::parse(text);
    ASSERT_TRUE(object.ok()) << text;
    hub_.put(resource_of(kind), *std::move(object));
  }

  void put_cluster(const std::string& name, std::string_view labels = "{}") {
    put(Watched::Clusters,
        fmt::format(R"({{"metadata":{{"name":"{}","labels":{}}}}})", name, labels));
  }

  void put_placement(const std::string& name, std::string_view spec,
                     std::string_view annotations = "{}") {
    put(Watched::Placements,
        fmt::format(R"({{"metadata":{{"name":"{}","namespace":"ns","annotations":{}}},
                        "spec":{}}})",
                    name, annotations, spec));
  }

  void put_score(const std::string& cluster, int value, Time valid_until) {
    put(Watched::Scores, fmt::format(R"({{"metadata":{{"name":"r","namespace":"{}"}},
            "status":{{"validUntil":"{}","scores":[{{"name":"x","value":{}}}]}}}})",
                                     cluster, format_seconds(valid_until), value));
  }

  std::vector<std::string> decided(const std::string& placement, int number = 1) {
    std::vector<std::string> clusters;
    const Value* object = hub_.find(resource_of(Watched::Decisions),
                                    fmt::format("ns/{}-decision-{}", placement, number));
    if (!object) return {"(no decision)"};
    for (const auto& decision : api::read_placement_decision(*object).decisions) {
      clusters.push_back(decision.cluster);
    }
    return clusters;
  }

  Time now() { return program_.lock()->clock.now(); }

  using Names = std::vector<std::string>;

  ModelHub hub_;
  std::vector<std::string> writes_;
  sim::World world_;
  std::weak_ptr<Program> program_;
};

TEST_F(Deciding, WritesTheDecisionItsStatusAndThePlacementsStatus) {
  put_cluster("a");
  put_cluster("b");
  put_placement("p", "{}");
  start();
  EXPECT_EQ(decided("p"), (Names{"a", "b"}));
  EXPECT_EQ(writes_,
            (Names{"POST placementdecisions", "PATCH placementdecisions/ns/p-decision-1/status",
                   "PATCH placements/ns/p/status"}));
  const Value* placement = hub_.find(resource_of(Watched::Placements), "ns/p");
  EXPECT_EQ(placement->find_path({"status", "numberOfSelectedClusters"})->as_int(), 2);
}

TEST_F(Deciding, WritesNothingAfterARestart) {
  put_cluster("a");
  put_placement("p", "{}");
  start();
  writes_.clear();
  world_.node("berth").crash(sim::Crash::Process);
  world_.node("berth").restart();
  world_.run_for(1s);
  settle();
  EXPECT_TRUE(program_.lock()->controller.has_synced());
  EXPECT_EQ(writes_, Names{});
}

TEST_F(Deciding, AChangedLabelReachesOnlyThePlacementsThatReadIt) {
  put_cluster("a", R"({"env":"dev"})");
  put_placement("reads", R"({"predicates":[{"requiredClusterSelector":
      {"labelSelector":{"matchLabels":{"env":"prod"}}}}]})");
  put_placement("ignores", "{}");
  start();
  const auto plans = program_.lock()->controller.plans();
  writes_.clear();
  put_cluster("a", R"({"env":"prod"})");
  world_.run_for(1s);
  EXPECT_EQ(decided("reads"), Names{"a"});
  EXPECT_EQ(writes_, (Names{"PATCH placementdecisions/ns/reads-decision-1/status",
                            "PATCH placements/ns/reads/status"}));
  // Once for the label, once each for the two objects that were written.
  EXPECT_LE(program_.lock()->controller.plans() - plans, 3U);
}

TEST_F(Deciding, ExpressionsSeeClustersThatCameBeforeThem) {
  put_cluster("a", R"({"env":"dev"})");
  put_cluster("b", R"({"env":"prod"})");
  start();
  put_placement("p", R"({"predicates":[{"requiredClusterSelector":{"celSelector":
      {"celExpressions":["managedCluster.metadata.labels['env'] == 'prod'"]}}}]})");
  world_.run_for(1s);
  EXPECT_EQ(decided("p"), Names{"b"});
}

TEST_F(Deciding, WakesAtTheMomentAScoreExpires) {
  put_cluster("a");
  put_cluster("b");
  start();
  put_score("a", 90, now() + 100s);
  put_score("b", 10, now() + 1000s);
  put_placement("p", R"({"numberOfClusters":1,"prioritizerPolicy":{"mode":"Exact","configurations":[
      {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"r","scoreName":"x"}},"weight":1}]}})");
  world_.run_for(98s);
  EXPECT_EQ(decided("p"), Names{"a"});
  world_.run_for(4s);
  EXPECT_EQ(decided("p"), Names{"b"});
}

TEST_F(Deciding, NoticesAnExpiryAfterTheCalendarHasJumped) {
  put_cluster("a");
  put_cluster("b");
  start();
  put_score("a", 90, now() + 10h);
  put_score("b", 10, now() + 100h);
  put_placement("p", R"({"numberOfClusters":1,"prioritizerPolicy":{"mode":"Exact","configurations":[
      {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"r","scoreName":"x"}},"weight":1}]}})");
  world_.run_for(10s);
  EXPECT_EQ(decided("p"), Names{"a"});
  world_.node("berth").clock().step_wall(11h);
  world_.run_for(12s);
  EXPECT_EQ(decided("p"), Names{"b"});
}

TEST_F(Deciding, PlacementsDecidedAtTheSameTimeCountEachOther) {
  for (const char* name : {"a", "b", "c", "d"}) put_cluster(name);
  for (int i = 0; i < 4; ++i) {
    put_placement(fmt::format("p{}", i),
                  R"({"numberOfClusters":1,"prioritizerPolicy":{"mode":"Exact",
        "configurations":[{"scoreCoordinate":{"type":"BuiltIn","builtIn":"Balance"},"weight":1}]}})");
  }
  start();
  std::vector<std::string> all;
  for (int i = 0; i < 4; ++i) all.push_back(decided(fmt::format("p{}", i)).at(0));
  std::ranges::sort(all);
  EXPECT_EQ(all, (Names{"a", "b", "c", "d"}));
}

TEST_F(Deciding, RepairsADecisionThatSomebodyElseChanged) {
  put_cluster("a");
  put_placement("p", "{}");
  start();
  Value object = *hub_.find(resource_of(Watched::Decisions), "ns/p-decision-1");
  object["status"]["decisions"] = Value::array();
  hub_.put(resource_of(Watched::Decisions), object);
  world_.run_for(1s);
  EXPECT_EQ(decided("p"), Names{"a"});
  hub_.erase(resource_of(Watched::Decisions), "ns/p-decision-1");
  world_.run_for(1s);
  EXPECT_EQ(decided("p"), Names{"a"});
}

TEST_F(Deciding, LeavesDisabledPlacementsAlone) {
  const std::string disabled =
      R"({"cluster.open-cluster-management.io/experimental-scheduling-disable":"true"})";
  put_cluster("a");
  put_placement("ours", "{}");
  put_placement("theirs", "{}", disabled);
  start();
  EXPECT_EQ(decided("ours"), Names{"a"});
  EXPECT_EQ(decided("theirs"), Names{"(no decision)"});
}

TEST_F(Deciding, DecidesOnlyWhatIsHandedOverIfToldSo) {
  const std::string disabled =
      R"({"cluster.open-cluster-management.io/experimental-scheduling-disable":"true"})";
  put_cluster("a");
  put_placement("theirs", "{}");
  put_placement("ours", "{}", disabled);
  start({.engine = {.responsibility = Responsibility::HandedOver}});
  EXPECT_EQ(decided("ours"), Names{"a"});
  EXPECT_EQ(decided("theirs"), Names{"(no decision)"});
}

TEST_F(Deciding, TellsWhatItDidInEvents) {
  put_cluster("a");
  put_placement("p", "{}");
  start();
  world_.run_for(1s);
  const client::Gvr events = {"events.k8s.io", "v1", "events"};
  std::vector<std::string> reasons;
  for (const auto& [key, event] : hub_.store(events).state()) {
    reasons.emplace_back(event.find("reason")->string_or_empty());
    EXPECT_EQ(event.find_path({"regarding", "name"})->string_or_empty(), "p");
    EXPECT_EQ(event.find_path({"related", "name"})->string_or_empty(), "p-decision-1");
  }
  std::ranges::sort(reasons);
  EXPECT_EQ(reasons, (Names{"DecisionCreate", "DecisionUpdate", "ScoreUpdate"}));
}

}  // namespace
}  // namespace berth::placement
