#include "placement/prioritizers/resource_allocatable.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::chosen;
using testing::FleetBuilder;

constexpr std::string_view kByCpu = R"({"prioritizerPolicy":{"mode":"Exact","configurations":[
    {"scoreCoordinate":{"type":"BuiltIn","builtIn":"ResourceAllocatableCPU"},"weight":1}]}})";

TEST(ResourceAllocatable, RanksBetweenTheLeastAndTheMost) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"10"})")
      .cluster("b", R"({"cpu":"7"})")
      .cluster("c", R"({"cpu":"9"})");
  EXPECT_EQ(chosen(fleet, kByCpu), "a:100 c:33 b:-100");
}

TEST(ResourceAllocatable, D11_WithoutCapacityThereIsNoScore) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"1"})").cluster("b", R"({"cpu":"2"})");
  fleet.cluster("c", R"({"cpu":"999","noCapacity":true})");
  EXPECT_EQ(chosen(fleet, kByCpu), "b:100 c:0 a:-100");
  const Schedule result = testing::schedule(fleet, kByCpu);
  EXPECT_EQ(result.prioritizers[0].scores[2].note, Note::NoData);
}

TEST(ResourceAllocatable, D12_NobodyHasData) {
  FleetBuilder fleet;
  fleet.cluster("b").cluster("a");
  EXPECT_EQ(chosen(fleet, kByCpu), "a:0 b:0");
}

TEST(ResourceAllocatable, D14_EqualAmountsAreAllTheBest) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"4"})").cluster("b", R"({"cpu":"4"})").cluster("c");
  EXPECT_EQ(chosen(fleet, kByCpu), "a:100 b:100 c:0");
}

TEST(ResourceAllocatable, D15_TheSameAmountWrittenDifferentlyDiffersInTheLastBit) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"3.9"})").cluster("b", R"({"cpu":"3900m"})");
  EXPECT_EQ(chosen(fleet, kByCpu), "a:100 b:-100");
}

TEST(ResourceAllocatable, AnInfiniteAmountIsHarmless) {
  FleetBuilder fleet;
  fleet.cluster("a", R"({"cpu":"1e900"})")
      .cluster("b", R"({"cpu":"1"})")
      .cluster("c", R"({"cpu":"2"})");
  EXPECT_EQ(testing::schedule(fleet, kByCpu).chosen.size(), 3U);
}

}  // namespace
}  // namespace berth::placement
