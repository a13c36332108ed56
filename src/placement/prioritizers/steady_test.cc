#include "placement/prioritizers/steady.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::FleetBuilder;

TEST(Steady, PrefersWhatWasChosenInAnyOfTheObjects) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").cluster("c").decision({"b"}, "p", 1).decision({"c"}, "p", 2);
  EXPECT_EQ(testing::chosen(fleet), "b:200 c:200 a:100");
}

TEST(Steady, E17_ForeignObjectsWithTheLabelMakeIncumbentsToo) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b");
  api::PlacementDecision foreign{.decisions = {{.cluster = "b"}}};
  foreign.facts = {.name = "foreign",
                   .object_namespace = "ns1",
                   .labels = {{std::string(api::kPlacementLabel), "p"}}};
  fleet.view().put_decision(foreign);
  EXPECT_EQ(testing::chosen(fleet), "b:200 a:100");
}

TEST(Steady, DecisionsOfOthersAreNotItsOwn) {
  FleetBuilder fleet;
  fleet.cluster("a").decision({"a"}, "q").decision({"a"}, "p", 1, "ns2");
  EXPECT_EQ(testing::chosen(fleet), "a:-100");
}

}  // namespace
}  // namespace berth::placement
