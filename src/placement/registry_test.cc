#include "placement/registry.h"

#include <gtest/gtest.h>

#include "placement/request.h"
#include "placement/testing/fleet_builder.h"
#include "placement/waking/dependencies.h"

namespace berth::placement {
namespace {

using testing::FleetBuilder;

TEST(Registry, FiltersRunInTheReferencesOrder) {
  const auto& filters = built_in_plugins().filters;
  ASSERT_EQ(filters.size(), 2U);
  EXPECT_EQ(filters[0]->name(), "Predicate");
  EXPECT_EQ(filters[1]->name(), "TaintToleration");
}

TEST(Registry, EveryBuiltInAnswersToItsName) {
  for (const char* name :
       {"Balance", "Steady", "ResourceAllocatableCPU", "ResourceAllocatableMemory"}) {
    const auto prioritizer = built_in_plugins().find_prioritizer(name);
    ASSERT_NE(prioritizer, nullptr);
    EXPECT_EQ(prioritizer->name(), name);
  }
  EXPECT_EQ(built_in_plugins().find_prioritizer("Spread"), nullptr);
}

TEST(Registry, AScoreIsAPrioritizerToo) {
  EXPECT_EQ(score_prioritizer({.resource = "r", .score = "s"})->name(), "AddOn/r/s");
}

// Plugins as somebody would add them: all that has to be written about them is here.

// Refuses clusters whose label `sealed` is there; rather not those whose label `worn` is.
class SealedFilter final : public Filter {
 public:
  std::string_view name() const override { return "Sealed"; }

  Reads reads(const CompiledPlacement&) const override { return {.labels = {"sealed", "worn"}}; }

  Filtered filter(const Request& request, std::span<const ClusterIndex> candidates) const override {
    Filtered filtered;
    for (const ClusterIndex cluster : candidates) {
      if (!request.fleet.label(cluster, "sealed")) filtered.passed.push_back(cluster);
    }
    return filtered;
  }

  Reluctance reluctance(const Request& request, ClusterIndex cluster) const override {
    return {.is_avoided = request.fleet.label(cluster, "worn").has_value()};
  }

  std::vector<Objection> objections(const Request& request, ClusterIndex cluster) const override {
    if (!request.fleet.label(cluster, "sealed")) return {};
    return {{.reason = "it is sealed", .remedy = "no label sealed"}};
  }
};

// A point for each letter of the claim `motto`.
class MottoLength final : public Prioritizer {
 public:
  std::string_view name() const override { return "MottoLength"; }

  Reads reads() const override { return {.claims = {"motto"}}; }

  Ranking rank(const Request& request, std::span<const ClusterIndex> candidates) const override {
    Ranking ranking = unranked(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto motto = request.fleet.claim(candidates[i], "motto").value_or("");
      ranking.scores[i].points = static_cast<std::int32_t>(motto.size());
    }
    return ranking;
  }

  std::optional<std::string> remark(std::int32_t weight) const override {
    return weight < 0 ? std::optional<std::string>("brevity wins") : std::nullopt;
  }
};

class OwnPlugins : public ::testing::Test {
 protected:
  OwnPlugins() {
    plugins_.filters.push_back(std::make_shared<const SealedFilter>());
    plugins_.prioritizers.push_back(std::make_shared<const MottoLength>());
    fleet_.cluster("a", R"({"claims":{"motto":"brief"}})");
    fleet_.cluster("b", R"({"claims":{"motto":"rather long"}})");
    fleet_.cluster("c", R"({"claims":{"motto":"the longest of all"},"labels":{"sealed":"yes"}})");
  }

  CompiledPlacement placement(int weight = 1) const {
    return compile(api::read_placement(testing::placement_object(fmt::format(
                       R"({{"numberOfClusters":1,"prioritizerPolicy":{{"mode":"Exact",
        "configurations":[{{"scoreCoordinate":{{"type":"BuiltIn","builtIn":"MottoLength"}},
        "weight":{}}}]}}}})",
                       weight))),
                   CelExpressions(), {}, plugins_);
  }

  std::string chosen() const {
    return testing::chosen(fleet_, schedule(placement(), fleet_.view(), fleet_.now(), {}));
  }

  Registry plugins_ = built_in_plugins();
  FleetBuilder fleet_;
};

TEST_F(OwnPlugins, Decide) {
  EXPECT_EQ(chosen(), "b:11");
  fleet_.cluster("b", R"({"claims":{"motto":"rather long"},"labels":{"worn":"yes"}})");
  EXPECT_EQ(chosen(), "a:5");
}

TEST_F(OwnPlugins, WakeThePlacementsThatUseThem) {
  Dependencies dependencies;
  dependencies.put(placement(), {});
  const auto wakes = [&](std::string_view extra) {
    FleetBuilder next;
    next.cluster("a", extra);
    const auto object = next.view().clusters()[*next.view().clusters().find("a")].object;
    const FleetChange change =
        fleet_.view().put_cluster(api::read_managed_cluster(*object), object);
    return !dependencies.affected(change, fleet_.view().sets()).empty();
  };
  EXPECT_TRUE(wakes(R"({"claims":{"motto":"short"}})"));
  EXPECT_FALSE(wakes(R"({"claims":{"motto":"short","other":"x"}})"));
  EXPECT_TRUE(wakes(R"({"claims":{"motto":"short"},"labels":{"sealed":"yes"}})"));
  EXPECT_FALSE(wakes(R"({"claims":{"motto":"short"},"labels":{"sealed":"yes","tier":"1"}})"));
}

TEST_F(OwnPlugins, AreExplained) {
  const auto verdict = explain_cluster(placement(), fleet_.view(), fleet_.now(), {}, "c");
  EXPECT_EQ(verdict.rejected_by, "Sealed");
  EXPECT_EQ(verdict.remedies, std::vector<std::string>{"no label sealed"});
  const auto outranked = explain_cluster(placement(), fleet_.view(), fleet_.now(), {}, "a");
  ASSERT_EQ(outranked.scores.size(), 1U);
  EXPECT_EQ(outranked.scores[0].prioritizer, "MottoLength");
  EXPECT_EQ(outranked.remedies, std::vector<std::string>{"6 more points"});
}

TEST_F(OwnPlugins, SayWhatTheAuthorShouldKnow) {
  EXPECT_EQ(placement(-1).remarks, std::vector<std::string>{"brevity wins"});
  EXPECT_EQ(placement().remarks, std::vector<std::string>{});
}

}  // namespace
}  // namespace berth::placement
