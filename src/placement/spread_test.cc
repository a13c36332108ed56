#include "placement/spread.h"

#include <gtest/gtest.h>

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
