#include "placement/deciding/spread.h"

#include <map>
#include <optional>
#include <ranges>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/print.h"
#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::chosen;
using testing::FleetBuilder;

std::string spreading(std::string_view constraints, int count) {
  return fmt::format(R"({{"numberOfClusters":{},"spreadPolicy":{{"spreadConstraints":{}}}}})",
                     count, constraints);
}

constexpr std::string_view kHardByZone =
    R"([{"topologyKey":"zone","topologyKeyType":"Label","maxSkew":1,"whenUnsatisfiable":"DoNotSchedule"}])";
constexpr std::string_view kSoftByZone =
    R"([{"topologyKey":"zone","topologyKeyType":"Label","maxSkew":1,"whenUnsatisfiable":"ScheduleAnyway"}])";

// a1 a2 a3 in zone a, b1 in zone b, and x in none.
FleetBuilder zones() {
  FleetBuilder fleet;
  for (const char* name : {"a1", "a2", "a3"}) fleet.cluster(name, R"({"labels":{"zone":"a"}})");
  fleet.cluster("b1", R"({"labels":{"zone":"b"}})");
  return fleet;
}

TEST(Spread, D26_TakesEffectUnlessExact) {
  EXPECT_EQ(chosen(zones(), spreading(kHardByZone, 2)), "a1:100 b1:100");
  EXPECT_EQ(chosen(zones(), spreading(kHardByZone, 2), ocm_exact()), "a1:100 a2:100");
}

TEST(Spread, AHardConstraintLeavesDecisionsUnscheduled) {
  const auto fleet = zones();
  const Schedule result = testing::schedule(fleet, spreading(kHardByZone, 4));
  EXPECT_EQ(chosen(fleet, result), "a1:100 b1:100 a2:100");
  EXPECT_EQ(result.unscheduled, 1);
}

TEST(Spread, ASoftConstraintGivesIn) {
  EXPECT_EQ(chosen(zones(), spreading(kSoftByZone, 4)), "a1:100 b1:100 a2:100 a3:100");
}

TEST(Spread, AClusterWithoutTheKeyIsOnlyForSoftConstraints) {
  auto fleet = zones();
  fleet.cluster("a0");
  EXPECT_EQ(chosen(fleet, spreading(kHardByZone, 1)), "a1:100");
  EXPECT_EQ(chosen(fleet, spreading(kSoftByZone, 3)), "a0:100 a1:100 b1:100");
}

TEST(Spread, ALargerSkewAllowsMore) {
  EXPECT_EQ(chosen(zones(), spreading(R"([{"topologyKey":"zone","topologyKeyType":"Label",
      "maxSkew":2,"whenUnsatisfiable":"DoNotSchedule"}])",
                                      4)),
            "a1:100 a2:100 b1:100 a3:100");
}

TEST(Spread, ClaimsAreTopologiesToo) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"claims":{"region":"eu"}})").cluster("b", R"({"claims":{"region":"eu"}})");
  fleet.cluster("c", R"({"claims":{"region":"us"}})");
  EXPECT_EQ(chosen(fleet, spreading(R"([{"topologyKey":"region","topologyKeyType":"Claim",
      "whenUnsatisfiable":"DoNotSchedule"}])",
                                    2)),
            "a:100 c:100");
}

// As the header says it, without any thought of time.
std::vector<std::size_t> spread_plainly(const std::vector<api::SpreadConstraint>& constraints,
                                        const FleetView& fleet,
                                        std::span<const ClusterIndex> ordered) {
  using Topology = std::optional<std::string_view>;
  const auto is_hard = [](const api::SpreadConstraint& constraint) {
    return constraint.when_unsatisfiable == api::SpreadConstraint::WhenUnsatisfiable::DoNotSchedule;
  };
  std::vector<std::map<Topology, int>> counts(constraints.size());
  const auto topology = [&](std::size_t constraint, ClusterIndex cluster) {
    return fleet.label(cluster, constraints[constraint].topology_key);
  };
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    for (const ClusterIndex cluster : ordered) {
      if (topology(i, cluster) || !is_hard(constraints[i])) counts[i][topology(i, cluster)] = 0;
    }
  }
  std::vector<std::size_t> taken;
  for (;;) {
    std::optional<std::pair<std::vector<bool>, std::size_t>> best;
    for (std::size_t place = 0; place < ordered.size(); ++place) {
      if (std::ranges::find(taken, place) != taken.end()) continue;
      std::vector<bool> violations;
      bool is_forbidden = false;
      for (std::size_t i = 0; i < constraints.size(); ++i) {
        const Topology own = topology(i, ordered[place]);
        if (!counts[i].contains(own)) {
          is_forbidden = true;
          continue;
        }
        const int fewest = std::ranges::min(counts[i] | std::views::values);
        violations.push_back(counts[i].at(own) + 1 - fewest > constraints[i].skew_max);
        is_forbidden = is_forbidden || (violations.back() && is_hard(constraints[i]));
      }
      if (is_forbidden) continue;
      if (!best || std::pair(violations, place) < *best) best = {violations, place};
    }
    if (!best) return taken;
    taken.push_back(best->second);
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      ++counts[i][topology(i, ordered[best->second])];
    }
  }
}

RC_GTEST_PROP(SpreadProperty, TakesWhatThePlainWayTakes, ()) {
  const auto draw = [](int below) { return *rc::gen::inRange(0, below); };
  FleetBuilder fleet;
  std::vector<ClusterIndex> ordered;
  const int clusters = draw(25);
  for (int i = 0; i < clusters; ++i) {
    json::Value labels = json::Value::object();
    for (const char* key : {"zone", "rack", "room"}) {
      if (draw(8) > 0) labels[key] = std::to_string(draw(4));
    }
    const std::string name = fmt::format("c{:02}", i);
    fleet.cluster(name, json::print(json::Value::object({{"labels", labels}})));
    ordered.push_back(*fleet.view().clusters().find(name));
  }
  std::vector<api::SpreadConstraint> constraints;
  for (const char* key : {"zone", "rack", "room"}) {
    if (draw(3) == 0) continue;
    constraints.push_back({.topology_key = key, .skew_max = 1 + draw(3)});
    using When = api::SpreadConstraint::WhenUnsatisfiable;
    if (draw(2) == 0) constraints.back().when_unsatisfiable = When::DoNotSchedule;
  }
  RC_ASSERT(spread(constraints, fleet.view(), ordered, ordered.size()) ==
            spread_plainly(constraints, fleet.view(), ordered));
}

// One step for each pair of clusters would be a hundred million.
TEST(Spread, ManyTopologiesTakeNoLongerThanTheirNumber) {
  constexpr int kClusters = 10'000;
  FleetBuilder fleet;
  std::vector<ClusterIndex> ordered;
  for (int i = 0; i < kClusters; ++i) {
    const std::string name = fmt::format("c{:05}", i);
    fleet.cluster(name, fmt::format(R"({{"labels":{{"zone":"{}"}}}})", i));
    ordered.push_back(*fleet.view().clusters().find(name));
  }
  const api::SpreadConstraint by_zone{.topology_key = "zone"};
  const auto taken = spread(std::span(&by_zone, 1), fleet.view(), ordered, ordered.size());
  EXPECT_EQ(taken.size(), ordered.size());
}

TEST(Spread, TheFirstConstraintMattersMost) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"labels":{"zone":"1","rack":"1"}})");
  fleet.cluster("b", R"({"labels":{"zone":"1","rack":"2"}})");
  fleet.cluster("c", R"({"labels":{"zone":"2","rack":"1"}})");
  const auto by = [&fleet](std::string_view first, std::string_view second) {
    return chosen(fleet, spreading(fmt::format(R"([{{"topologyKey":"{}","topologyKeyType":"Label"}},
        {{"topologyKey":"{}","topologyKeyType":"Label"}}])",
                                               first, second),
                                   2));
  };
  EXPECT_EQ(by("zone", "rack"), "a:100 c:100");
  EXPECT_EQ(by("rack", "zone"), "a:100 b:100");
}

}  // namespace
}  // namespace berth::placement
