#include "scores/sources/fleet_scores.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::scores {
namespace {

using Numbers = std::map<std::string, double>;
using Scores = std::map<std::string, std::int32_t>;
using Type = FleetNormaliser::Type;

Scores score(const Numbers& numbers, const std::optional<FleetNormaliser>& normaliser) {
  std::map<std::string, Measurement> measured;
  for (const auto& [cluster, number] : numbers) measured[cluster] = {.number = number};
  return score_fleet(measured, normaliser);
}

TEST(FleetScores, AreTheNumbersThemselvesUnlessAnythingElseIsSaid) {
  EXPECT_EQ(score({{"a", 12.4}, {"b", -12.5}, {"c", 1e9}, {"d", -101}}, std::nullopt),
            (Scores{{"a", 12}, {"b", -13}, {"c", 100}, {"d", -100}}));
}

TEST(FleetScores, BetweenBoundsAreEachClustersOwn) {
  const FleetNormaliser bounds{.line = {.min = 0, .max = 200}};
  EXPECT_EQ(score({{"a", 0}, {"b", 50}, {"c", 100}, {"d", 300}}, bounds),
            (Scores{{"a", -100}, {"b", -50}, {"c", 0}, {"d", 100}}));
  EXPECT_EQ(score({{"b", 50}}, bounds), (Scores{{"b", -50}}));
}

TEST(FleetScores, MayBeStretchedOverTheFleet) {
  EXPECT_EQ(score({{"a", 10}, {"b", 15}, {"c", 20}}, FleetNormaliser{.type = Type::FleetRange}),
            (Scores{{"a", -100}, {"b", 0}, {"c", 100}}));
  EXPECT_EQ(score({{"a", 10}, {"b", 15}, {"c", 20}},
                  FleetNormaliser{.type = Type::FleetRange,
                                  .line = {.max = 1,
                                           .range = Range::Positive,
                                           .direction = Direction::LowerIsBetter}}),
            (Scores{{"a", 100}, {"b", 50}, {"c", 0}}));
}

TEST(FleetScores, MayBeRanksAndEqualNumbersShareTheirPlace) {
  EXPECT_EQ(score({{"a", 1}, {"b", 2}, {"c", 1000}}, FleetNormaliser{.type = Type::FleetRank}),
            (Scores{{"a", -100}, {"b", 0}, {"c", 100}}));
  EXPECT_EQ(score({{"a", 1}, {"b", 2}, {"c", 2}, {"d", 2}, {"e", 3}},
                  FleetNormaliser{.type = Type::FleetRank}),
            (Scores{{"a", -100}, {"b", 0}, {"c", 0}, {"d", 0}, {"e", 100}}));
}

TEST(FleetScores, OfEqualClustersAreInTheMiddle) {
  for (const Type type : {Type::FleetRange, Type::FleetRank}) {
    EXPECT_EQ(score({{"a", 7}}, FleetNormaliser{.type = type}), (Scores{{"a", 0}}));
    EXPECT_EQ(score({{"a", 7}, {"b", 7}}, FleetNormaliser{.type = type}),
              (Scores{{"a", 0}, {"b", 0}}));
    EXPECT_EQ(score({{"a", 7}, {"b", 7}},
                    FleetNormaliser{.type = type, .line = {.max = 1, .range = Range::Positive}}),
              (Scores{{"a", 50}, {"b", 50}}));
  }
  EXPECT_TRUE(score({}, FleetNormaliser{.type = Type::FleetRank}).empty());
}

RC_GTEST_PROP(FleetScores, KeepTheOrderOfTheNumbersInEveryForm, ()) {
  const auto numbers = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::int16_t>>());
  std::map<std::string, Measurement> measured;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    measured[std::to_string(i)] = {.number = static_cast<double>(numbers[i])};
  }
  for (const Type type : {Type::Bounds, Type::FleetRange, Type::FleetRank}) {
    const auto scores = score_fleet(
        measured, FleetNormaliser{.type = type, .line = {.min = -20'000, .max = 20'000}});
    RC_ASSERT(scores.size() == measured.size());
    for (const auto& [a, of_a] : measured) {
      for (const auto& [b, of_b] : measured) {
        if (of_a.number <= of_b.number) RC_ASSERT(scores.at(a) <= scores.at(b));
      }
    }
  }
}

}  // namespace
}  // namespace berth::scores
