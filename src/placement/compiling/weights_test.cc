#include "placement/compiling/weights.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

using Configuration = api::PrioritizerConfiguration;
using Coordinates = std::vector<WeightedCoordinate>;

Configuration built_in(std::string name, std::int32_t weight) {
  return {.has_coordinate = true, .type = "BuiltIn", .built_in = std::move(name), .weight = weight};
}

Configuration add_on(std::int32_t weight) {
  return {.has_coordinate = true,
          .type = "AddOn",
          .add_on = api::AddOnScore{.resource = "r", .score = "s"},
          .weight = weight};
}

Coordinates weights(std::string_view mode, std::vector<Configuration> configurations) {
  return weigh(mode, configurations, built_in_plugins()).value();
}

std::string problem(std::string_view mode, std::vector<Configuration> configurations) {
  return weigh(mode, configurations, built_in_plugins()).error().message;
}

TEST(Weights, AdditiveStartsWithBalanceAndSteady) {
  const Coordinates defaults = {{.built_in = "Balance", .weight = 1},
                                {.built_in = "Steady", .weight = 1}};
  EXPECT_EQ(weights("", {}), defaults);
  EXPECT_EQ(weights("Additive", {}), defaults);
  EXPECT_EQ(weights("Exact", {}), Coordinates{});
}

TEST(Weights, D19_TheLastEntryOfABuiltInCounts) {
  EXPECT_EQ(weights("Exact", {built_in("Steady", 3), built_in("Steady", 5)}),
            (Coordinates{{.built_in = "Steady", .weight = 5}}));
}

TEST(Weights, D18_EveryAddOnEntryCountsForItself) {
  EXPECT_EQ(
      weights("Exact", {add_on(1), add_on(2)}),
      (Coordinates{{.add_on = {"r", "s"}, .weight = 1}, {.add_on = {"r", "s"}, .weight = 2}}));
}

TEST(Weights, D20_ABuiltInWithAnAddOnMemberIsAddedToTheDefault) {
  Configuration odd = built_in("Steady", 4);
  odd.add_on = api::AddOnScore{};
  EXPECT_EQ(weights("Additive", {odd}), (Coordinates{{.built_in = "Balance", .weight = 1},
                                                     {.built_in = "Steady", .weight = 1},
                                                     {.built_in = "Steady", .weight = 4}}));
}

TEST(Weights, D21_WeightZeroTakesADefaultAway) {
  EXPECT_EQ(weights("Additive", {built_in("Steady", 0)}),
            (Coordinates{{.built_in = "Balance", .weight = 1}}));
}

TEST(Weights, D22_WeightZeroIsNotChecked) {
  EXPECT_EQ(weights("Exact", {built_in("Spread", 0)}), Coordinates{});
}

TEST(Weights, F14_AnEntryWithoutWeightOrTypeIsDropped) {
  EXPECT_EQ(weights("Exact", {{.has_coordinate = true}}), Coordinates{});
}

TEST(Weights, ProblemsAreToldInTheReferencesWords) {
  EXPECT_EQ(problem("Foo", {}), "incorrect prioritizer policy mode: Foo");
  EXPECT_EQ(problem("Exact", {{}}), "scoreCoordinate field is required");
  EXPECT_EQ(problem("Exact", {built_in("Spread", 1)}), "incorrect builtin prioritizer: Spread");
  EXPECT_EQ(problem("Exact", {{.has_coordinate = true, .type = "AddOn", .weight = 1}}),
            "addOn should not be empty");
}

}  // namespace
}  // namespace berth::placement
