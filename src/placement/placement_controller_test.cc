#include "placement/placement_controller.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "control/testing/model_hub_service.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "json/print.h"
#include "sim/world.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using client::testing::ModelAnswer;
using client::testing::ModelRequest;
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

constexpr std::string_view kDisabled =
    R"({"cluster.open-cluster-management.io/experimental-scheduling-disable":"true"})";

class Deciding : public ::testing::Test {
 protected:
  Deciding() : world_(sim::WorldOptions{}) {
    hub_.on_write = [this](const ModelHub::Written& write) {
      if (write.what.find("events") == std::string::npos) writes_.push_back(write.what);
    };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(
          loops[0], {.first = [this](const ModelRequest& request) { return answer_(request); }}));
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
  std::function<std::optional<ModelAnswer>(const ModelRequest&)> answer_ = [](const ModelRequest&) {
    return std::nullopt;
  };  // Nullopt: as the hub does.
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
  EXPECT_EQ(program_.lock()->controller.plans() - plans, 1U);
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

TEST_F(Deciding, WholeClustersAreNotKeptLongerThanExpressionsReadThem) {
  put_cluster("a", R"({"env":"prod"})");
  start();
  constexpr std::string_view kByExpression = R"({"predicates":[{"requiredClusterSelector":{
      "celSelector":{"celExpressions":["managedCluster.metadata.labels['env'] == 'prod'"]}}}]})";
  const auto kept = [this] {
    const ClusterTable& clusters = program_.lock()->controller.situation().fleet().clusters();
    return clusters[*clusters.find("a")].object != nullptr;
  };
  put_placement("p", kByExpression);
  world_.run_for(1min);
  EXPECT_TRUE(kept());
  put_placement("p", "{}");
  world_.run_for(1min);
  EXPECT_FALSE(kept());
  put_placement("p", kByExpression);
  world_.run_for(1min);
  EXPECT_TRUE(kept());
  EXPECT_EQ(decided("p"), Names{"a"});
}

// Just below what one expression may cost on one cluster.
std::string hostile_spec() {
  const std::string_view list = "[1,2,3,4,5,6,7,8,9,10,11]";
  return fmt::format(
      R"json({{"predicates":[{{"requiredClusterSelector":{{"celSelector":{{"celExpressions":[
          "{0}.all(a, {0}.all(b, {0}.all(c, {0}.all(d, {0}.all(e, true)))))"]}}}}}}]}})json",
      list);
}

TEST_F(Deciding, NobodyWaitsForAnExpressionThatTakesForEver) {
  for (int i = 0; i < 3000; ++i) put_cluster(fmt::format("c{:04}", i));
  start({.engine = {.expression_budget = 8'000'000}});
  writes_.clear();
  put_placement("hostile", hostile_spec());
  world_.run_for(30ms);
  put_placement("other", R"({"numberOfClusters":1})");
  world_.run_for(10s);
  EXPECT_EQ(decided("other"), Names{"c0000"});
  ASSERT_FALSE(writes_.empty());
  EXPECT_EQ(writes_.back(), "PATCH placements/ns/hostile/status") << "the other one came first";
  const Value* hostile = hub_.find(resource_of(Watched::Placements), "ns/hostile");
  EXPECT_NE(json::print(*hostile).find("may cost 8000000"), std::string::npos)
      << json::print(*hostile);
}

TEST_F(Deciding, ManyLongRunsTakeTurnsAndAllEnd) {
  for (int i = 0; i < 20; ++i) put_cluster(fmt::format("c{:04}", i));
  // More of them than placements may be in work.
  start({.engine = {.expression_budget = 3'000'000}, .in_flight_max = 1});
  for (int i = 0; i < 6; ++i) put_placement(fmt::format("p{}", i), hostile_spec());
  put_placement("short", "{}");
  world_.run_for(40ms);
  EXPECT_EQ(decided("short").size(), 20U);
  EXPECT_FALSE(program_.lock()->controller.is_idle());
  put_placement("p0", "{}");  // Changes its mind meanwhile.
  hub_.erase(resource_of(Watched::Placements), "ns/p1");
  settle();
  EXPECT_EQ(decided("p0").size(), 20U);
  for (int i = 2; i < 6; ++i) {
    const Value* placement = hub_.find(resource_of(Watched::Placements), fmt::format("ns/p{}", i));
    EXPECT_NE(json::print(*placement).find("may cost 3000000"), std::string::npos);
  }
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

constexpr std::string_view kAwayFromIncumbents = R"({"numberOfClusters":1,
    "prioritizerPolicy":{"mode":"Exact","configurations":[
    {"scoreCoordinate":{"type":"BuiltIn","builtIn":"Steady"},"weight":-2}]}})";

TEST_F(Deciding, ItsOwnWritesDoNotWakeAPlacementThatNeverLikesWhatItHas) {
  put_cluster("a");
  put_cluster("b");
  put_placement("p", kAwayFromIncumbents);
  start();
  world_.run_for(1h);
  EXPECT_EQ(decided("p"), Names{"a"});
  EXPECT_EQ(writes_.size(), 3U);
  put_cluster("c");
  world_.run_for(1h);
  EXPECT_EQ(decided("p"), Names{"b"});
  EXPECT_EQ(writes_.size(), 4U);
}

TEST_F(Deciding, WhereItsOwnWritesHaveToWakeItThatBecomesRare) {
  put_cluster("a");
  put_cluster("b");
  put_placement("p", kAwayFromIncumbents);
  start({.engine = ocm_exact()});
  world_.run_for(1h);
  EXPECT_LT(writes_.size(), 30U);
}

TEST_F(Deciding, ADecisionThatAFinalizerHoldsIsDeletedOnce) {
  put_cluster("a");
  put_placement("p", "{}");
  put(Watched::Decisions, R"({"metadata":{"name":"held","namespace":"ns","finalizers":["x/y"],
      "labels":{"cluster.open-cluster-management.io/placement":"p"}}})");
  int deletes = 0;
  answer_ = [&](const ModelRequest& request) -> std::optional<ModelAnswer> {
    if (request.method != http::Method::Delete) return std::nullopt;
    Value held = *hub_.find(resource_of(Watched::Decisions), "ns/held");
    if (++deletes == 1) {
      held["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
      hub_.put(resource_of(Watched::Decisions), held);
    }
    return ModelAnswer{.document = *hub_.find(resource_of(Watched::Decisions), "ns/held")};
  };
  start();
  world_.run_for(1h);
  EXPECT_EQ(decided("p"), Names{"a"});
  EXPECT_EQ(deletes, 1);
}

TEST_F(Deciding, AFieldThatTheHubDropsIsNotWrittenForEver) {
  put_cluster("a");
  put_placement("p", R"({"sortBy":"Score"})");
  int patches = 0;
  answer_ = [&](const ModelRequest& request) -> std::optional<ModelAnswer> {
    if (!request.path.ends_with("placements/p/status")) return std::nullopt;
    ++patches;
    const Value before = *hub_.find(resource_of(Watched::Placements), "ns/p");
    Value after = json::apply_merge_patch(before, json::parse(request.body).value());
    after["status"].erase("lastScoreUpdateTime");
    after["metadata"] = *before.find("metadata");
    if (after != before) hub_.put(resource_of(Watched::Placements), after);
    return ModelAnswer{.document = *hub_.find(resource_of(Watched::Placements), "ns/p")};
  };
  start();
  world_.run_for(1h);
  EXPECT_EQ(decided("p"), Names{"a"});
  EXPECT_LE(patches, 2);
}

TEST_F(Deciding, SettlesOnScoresThatCountWhoWasChosen) {
  put_cluster("a");
  put_placement("p", R"({"sortBy":"Score"})");
  start();
  world_.run_for(2min);
  const Value* object = hub_.find(resource_of(Watched::Decisions), "ns/p-decision-1");
  EXPECT_EQ(api::read_placement_decision(*object).decisions.at(0).score, 200);
}

TEST_F(Deciding, AnotherPlacementHearsOfADecisionThatWasGivenToItMeanwhile) {
  put_cluster("a");
  put_placement("q", "{}");
  start();
  hub_.on_write = [this](const ModelHub::Written& write) {
    if (write.what != "PATCH placementdecisions/ns/p-decision-1/status") return;
    Value given = *hub_.find(resource_of(Watched::Decisions), "ns/p-decision-1");
    given["metadata"]["labels"][api::kPlacementLabel] = "q";
    hub_.put(resource_of(Watched::Decisions), given);
    put_placement("p", "{}", kDisabled);
  };
  put_placement("p", "{}");
  world_.run_for(1min);
  EXPECT_EQ(decided("p"), Names{"(no decision)"}) << "q deletes what it does not want";
  EXPECT_EQ(decided("q"), Names{"a"});
}

TEST_F(Deciding, LeavesDisabledPlacementsAlone) {
  put_cluster("a");
  put_placement("ours", "{}");
  put_placement("theirs", "{}", kDisabled);
  start();
  EXPECT_EQ(decided("ours"), Names{"a"});
  EXPECT_EQ(decided("theirs"), Names{"(no decision)"});
}

TEST_F(Deciding, DecidesOnlyWhatIsHandedOverIfToldSo) {
  put_cluster("a");
  put_placement("theirs", "{}");
  put_placement("ours", "{}", kDisabled);
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
