#include "scores/usage/resource_usage.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "json/parse.h"

namespace berth::scores {
namespace {

using json::Value;

Value parse(const std::string& text) { return json::parse(text).value(); }

struct NodeSpec {
  std::string name;
  std::string cpu = "4";
  std::string memory = "16Gi";
  std::string extra = {};  // Of allocatable: ,"nvidia.com/gpu":"2"
  std::string spec = {};   // "unschedulable":true
  std::string ready = "True";
  std::string labels = {};
};

Value node(const NodeSpec& spec) {
  return parse(fmt::format(
      R"({{"metadata":{{"name":"{}","labels":{{{}}}}},"spec":{{{}}},"status":{{"allocatable":{{
          "cpu":"{}","memory":"{}","pods":"110"{}}},"conditions":[
          {{"type":"Ready","status":"{}"}}]}}}})",
      spec.name, spec.labels, spec.spec, spec.cpu, spec.memory, spec.extra, spec.ready));
}

struct PodSpec {
  std::string name;
  std::string node = "n1";
  std::string cpu = "500m";
  std::string memory = "1Gi";
  std::string phase = "Running";
  std::string metadata = {};
};

Value pod(const PodSpec& spec) {
  return parse(fmt::format(
      R"({{"metadata":{{"name":"{}","namespace":"ns"{}}},"spec":{{"nodeName":"{}","containers":[
          {{"name":"c","resources":{{"requests":{{"cpu":"{}","memory":"{}"}}}}}}]}},
          "status":{{"phase":"{}"}}}})",
      spec.name, spec.metadata, spec.node, spec.cpu, spec.memory, spec.phase));
}

UsageOptions everything() {
  UsageOptions options{
      .sets = {ScoreSet::Seed, ScoreSet::Cluster, ScoreSet::Node, ScoreSet::Ratio}};
  options.shapes = {parse_shape("small=cpu=500m,memory=1Gi").value()};
  return options;
}

using Scores = std::map<std::string, std::int32_t>;

Scores scores_of(const ResourceUsage& usage) {
  Scores scores;
  for (const Score& score : usage.scores()) scores[score.name] = score.value;
  return scores;
}

// With bounds of 10 cores and 100 GiB: numbers that can be checked by hand.
UsageOptions small_bounds(std::set<ScoreSet> sets) {
  return {.sets = std::move(sets),
          .resources = {parse_resource("cpu,max=10").value(),
                        parse_resource("memory,max=100Gi").value()}};
}

TEST(ResourceUsage, PublishesTheSeedsTwoNumbersByDefault) {
  ResourceUsage usage({});
  for (const std::string name : {"n1", "n2"}) {
    ASSERT_TRUE(usage.put_node(node({.name = name, .cpu = "8", .memory = "24632748Ki"})).ok());
  }
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "3500m", .memory = "2Gi"})).ok());
  EXPECT_EQ(scores_of(usage), (Scores{{"cpuAvailable", 12}, {"memAvailable", 4}}))
      << "12.5 cores and 45 GiB are free, as in the article";
}

TEST(ResourceUsage, HasTheEightNamesOfTheReference) {
  UsageOptions options{.sets = {ScoreSet::Cluster, ScoreSet::Node}};
  ResourceUsage usage(options);
  ASSERT_TRUE(
      usage.put_node(node({.name = "n1", .cpu = "64", .extra = R"(,"nvidia.com/gpu":"8")"})).ok());
  ASSERT_TRUE(usage.put_node(node({.name = "n2", .cpu = "16"})).ok());
  EXPECT_EQ(scores_of(usage), (Scores{{"cpuClusterAvailable", 60},
                                      {"cpuNodeAvailable", 28},
                                      {"gpuClusterAvailable", -20},
                                      {"gpuNodeAvailable", -20},
                                      {"memClusterAvailable", -93},
                                      {"memNodeAvailable", -96},
                                      {"tpuClusterAvailable", -100},
                                      {"tpuNodeAvailable", -100}}));
}

TEST(ResourceUsage, CountsTerminatingPodsAndNotEndedOnes) {
  ResourceUsage usage(small_bounds({ScoreSet::Seed}));
  ASSERT_TRUE(usage.put_node(node({.name = "n1", .cpu = "10"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 100);
  const std::string deleted = R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")";
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "4", .metadata = deleted})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 60);
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "4", .phase = "Succeeded"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 100);
  ASSERT_TRUE(usage.put_pod(pod({.name = "q", .node = "", .cpu = "4", .phase = "Pending"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 100) << "it holds no node's room yet";
  EXPECT_EQ(usage.pods(), 0U);
}

TEST(ResourceUsage, FollowsAPodThatAsksForMoreAndThatEnds) {
  ResourceUsage usage(small_bounds({ScoreSet::Seed}));
  ASSERT_TRUE(usage.put_node(node({.name = "n1", .cpu = "10"})).ok());
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "1"})).ok());
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "5"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 50);
  usage.remove_pod({"ns", "p"});
  usage.remove_pod({"ns", "p"});
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 100);
}

TEST(ResourceUsage, LeavesNodesOutOnWhichNothingCanStart) {
  struct Case {
    std::string_view what;
    NodeSpec node;
    std::int32_t score;
  };
  const std::string tainted = R"("taints":[{"key":"k","value":"v","effect":"NoSchedule"}])";
  const std::string evicting = R"("taints":[{"key":"k","value":"v","effect":"NoExecute"}])";
  const std::string preferring = R"("taints":[{"key":"k","effect":"PreferNoSchedule"}])";
  const Case cases[] = {
      {"an ordinary node", {.name = "n1"}, 40},
      {"not ready", {.name = "n1", .ready = "False"}, 0},
      {"not heard of", {.name = "n1", .ready = "Unknown"}, 0},
      {"cordoned", {.name = "n1", .spec = R"("unschedulable":true)"}, 0},
      {"tainted", {.name = "n1", .spec = tainted}, 0},
      {"tainted against running", {.name = "n1", .spec = evicting}, 0},
      {"only rather not", {.name = "n1", .spec = preferring}, 40},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    ResourceUsage usage(small_bounds({ScoreSet::Seed}));
    ASSERT_TRUE(usage.put_node(node(c.node)).ok());
    EXPECT_EQ(scores_of(usage)["cpuAvailable"], c.score);
    EXPECT_EQ(usage.eligible_nodes(), c.score > 0 ? 1U : 0U);
  }
}

TEST(ResourceUsage, CountsNodesWithAllowedTaintsAndSelectedLabelsOnly) {
  UsageOptions options = small_bounds({ScoreSet::Seed});
  options.allowed_taints = {parse_allowed_taint("k=v").value()};
  options.nodes = api::LabelSelector::parse("pool=work").value();
  ResourceUsage usage(options);
  const std::string tainted = R"("taints":[{"key":"k","value":"v","effect":"NoSchedule"}])";
  const std::string work = R"("pool":"work")";
  ASSERT_TRUE(usage.put_node(node({.name = "n1", .spec = tainted, .labels = work})).ok());
  ASSERT_TRUE(usage.put_node(node({.name = "n2", .labels = R"("pool":"other")"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 40);
}

TEST(ResourceUsage, DoesNotLetAnOvercommittedNodeHideTheRoomOfAnother) {
  ResourceUsage usage(small_bounds({ScoreSet::Seed, ScoreSet::Node}));
  ASSERT_TRUE(usage.put_node(node({.name = "n1", .cpu = "2"})).ok());
  ASSERT_TRUE(usage.put_node(node({.name = "n2", .cpu = "5"})).ok());
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "6"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 50);
  EXPECT_EQ(scores_of(usage)["cpuNodeAvailable"], 0);
}

TEST(ResourceUsage, SaysHowManyPodsOfAShapeFit) {
  UsageOptions options{.sets = {}, .shapes = {parse_shape("s=cpu=1500m,memory=4Gi").value()}};
  ResourceUsage usage(options);
  ASSERT_TRUE(usage.put_node(node({.name = "n1", .cpu = "4", .memory = "16Gi"})).ok());
  ASSERT_TRUE(usage.put_node(node({.name = "n2", .cpu = "16", .memory = "10Gi"})).ok());
  EXPECT_EQ(scores_of(usage), (Scores{{"fit.s", 2 + 2}}));
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "1500m", .memory = "1"})).ok());
  EXPECT_EQ(scores_of(usage), (Scores{{"fit.s", 1 + 2}}));
  const Value full = parse(R"({"metadata":{"name":"n2"},"status":{"allocatable":{"cpu":"16",
      "memory":"64Gi","pods":"1"},"conditions":[{"type":"Ready","status":"True"}]}})");
  ASSERT_TRUE(usage.put_node(full).ok());
  EXPECT_EQ(scores_of(usage), (Scores{{"fit.s", 1 + 1}})) << "a node takes so many pods";
}

TEST(ResourceUsage, UsesLogarithmsAndPercentWhereAskedTo) {
  UsageOptions options{.sets = {ScoreSet::Seed, ScoreSet::Ratio},
                       .resources = {parse_resource("cpu,max=999,curve=log").value()}};
  ResourceUsage usage(options);
  ASSERT_TRUE(usage.put_node(node({.name = "n1", .cpu = "132"})).ok());
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "33"})).ok());
  EXPECT_EQ(scores_of(usage), (Scores{{"cpuAvailable", 66}, {"cpuRatioAvailable", 75}}));
}

TEST(ResourceUsage, KnowsPodsBeforeTheirNodesAndNodesThatComeBack) {
  ResourceUsage usage(small_bounds({ScoreSet::Seed}));
  ASSERT_TRUE(usage.put_pod(pod({.name = "p", .cpu = "1"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 0);
  ASSERT_TRUE(usage.put_node(node({.name = "n1"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 30);
  usage.remove_node("n1");
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 0);
  EXPECT_EQ(usage.nodes(), 0U);
  ASSERT_TRUE(usage.put_node(node({.name = "n1"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 30);
}

TEST(ResourceUsage, DoesNotCountWhatCannotBeRead) {
  ResourceUsage usage(small_bounds({ScoreSet::Seed}));
  ASSERT_TRUE(usage.put_node(node({.name = "n1"})).ok());
  ASSERT_TRUE(usage.put_node(node({.name = "n2"})).ok());
  EXPECT_FALSE(usage.put_node(node({.name = "n2", .cpu = "many"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 40);
  EXPECT_FALSE(usage.put_pod(pod({.name = "p", .cpu = "many"})).ok());
  EXPECT_EQ(scores_of(usage)["cpuAvailable"], 40);
}

TEST(ResourceUsage, SurvivesAmountsBeyondAllReason) {
  ResourceUsage usage(everything());
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "n" + std::to_string(i);
    ASSERT_TRUE(usage.put_node(node({.name = name, .cpu = "9E", .memory = "9E"})).ok());
    ASSERT_TRUE(usage.put_pod(pod({.name = "p" + name, .node = "n0", .memory = "9E"})).ok());
  }
  EXPECT_EQ(scores_of(usage)["memAvailable"], 100);
  for (int i = 0; i < 2000; ++i) usage.remove_pod({"ns", "pn" + std::to_string(i)});
  EXPECT_EQ(scores_of(usage)["cpuRatioAvailable"], 100);
}

// A random small world: its objects, and a usage that heard of them one by one.
std::string amount(int milli) { return std::to_string(milli) + "m"; }

Value random_node(int i) {
  const bool ready = *rc::gen::weightedElement<bool>({{4, true}, {1, false}});
  const bool cordoned = *rc::gen::weightedElement<bool>({{1, true}, {4, false}});
  return node({.name = fmt::format("n{}", i),
               .cpu = amount(*rc::gen::inRange(0, 8000)),
               .memory = std::to_string(*rc::gen::inRange(0, 64)) + "Gi",
               .spec = cordoned ? R"("unschedulable":true)" : "",
               .ready = ready ? "True" : "False"});
}

Value random_pod(int i) {
  return pod({.name = fmt::format("p{}", i),
              .node = fmt::format("n{}", *rc::gen::inRange(0, 5)),
              .cpu = amount(*rc::gen::inRange(0, 3000)),
              .memory = std::to_string(*rc::gen::inRange(0, 16)) + "Gi",
              .phase = *rc::gen::weightedElement<std::string>(
                  {{5, "Running"}, {1, "Succeeded"}, {1, "Pending"}})});
}

std::string name_of(const Value& object) { return std::string(api::Metadata(object).name()); }

struct World {
  std::map<std::string, Value> nodes;
  std::map<std::string, Value> pods;

  void apply(ResourceUsage& usage) const {
    for (const auto& [name, object] : nodes) (void)usage.put_node(object);
    for (const auto& [name, object] : pods) (void)usage.put_pod(object);
  }
};

// One random change of both.
void change(World& world, ResourceUsage& usage) {
  const int i = *rc::gen::inRange(0, 12);
  switch (*rc::gen::inRange(0, 6)) {
    case 0: {
      const Value object = random_node(i % 5);
      world.nodes[name_of(object)] = object;
      RC_ASSERT(usage.put_node(object).ok());
      break;
    }
    case 1:
      world.nodes.erase(fmt::format("n{}", i % 5));
      usage.remove_node(fmt::format("n{}", i % 5));
      break;
    case 2:
      world.pods.erase(fmt::format("p{}", i));
      usage.remove_pod({"ns", fmt::format("p{}", i)});
      break;
    default: {
      const Value object = random_pod(i);
      world.pods[name_of(object)] = object;
      RC_ASSERT(usage.put_pod(object).ok());
    }
  }
}

RC_GTEST_PROP(ResourceUsage, EqualsWhatIsComputedAfreshAfterAnyChanges, ()) {
  World world;
  ResourceUsage usage(everything());
  const int changes = *rc::gen::inRange(0, 60);
  for (int i = 0; i < changes; ++i) {
    change(world, usage);
    ResourceUsage fresh(everything());
    world.apply(fresh);
    RC_ASSERT(scores_of(usage) == scores_of(fresh));
    RC_ASSERT(usage.eligible_nodes() == fresh.eligible_nodes());
  }
  if (*rc::gen::arbitrary<bool>()) usage.clear_pods();
  if (*rc::gen::arbitrary<bool>()) usage.clear_nodes();
  usage.clear_nodes();
  usage.clear_pods();
  RC_ASSERT(usage.pods() == 0U && usage.nodes() == 0U);
  world.apply(usage);
  ResourceUsage fresh(everything());
  world.apply(fresh);
  RC_ASSERT(scores_of(usage) == scores_of(fresh));
}

RC_GTEST_PROP(ResourceUsage, IsTheSameInWhateverOrderObjectsCome, ()) {
  World world;
  ResourceUsage ordered(everything());
  for (int i = 0; i < 20; ++i) change(world, ordered);
  std::vector<const Value*> all;
  for (const auto& [name, object] : world.nodes) all.push_back(&object);
  for (const auto& [name, object] : world.pods) all.push_back(&object);
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  ResourceUsage shuffled(everything());
  for (const Value* object : all) {
    const bool is_pod = object->find_path({"spec", "containers"}) != nullptr;
    RC_ASSERT((is_pod ? shuffled.put_pod(*object) : shuffled.put_node(*object)).ok());
  }
  RC_ASSERT(scores_of(shuffled) == scores_of(ordered));
}

RC_GTEST_PROP(ResourceUsage, NeverHasMoreRoomWithOnePodMore, ()) {
  World world;
  ResourceUsage usage(everything());
  for (int i = 0; i < 20; ++i) change(world, usage);
  const Scores before = scores_of(usage);
  RC_ASSERT(usage.put_pod(random_pod(99)).ok());
  for (const auto& [name, value] : scores_of(usage)) RC_ASSERT(value <= before.at(name));
}

}  // namespace
}  // namespace berth::scores
