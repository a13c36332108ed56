#include "scores/normalise.h"

#include <cmath>
#include <limits>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::scores {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Normalise, FollowsTheLineOfOcmsLibrary) {
  struct Case {
    double value;
    double min;
    double max;
    std::int32_t score;
  };
  const Case cases[] = {
      {-1, 0, 100, -100},       {0, 0, 100, -100},       {0.4, 0, 100, -99},
      {0.5, 0, 100, -99},       {12, 0, 100, -76},       {25, 0, 100, -50},
      {49.9, 0, 100, 0},        {50, 0, 100, 0},         {50.4, 0, 100, 0},
      {50.5, 0, 100, 1},        {99.9, 0, 100, 99},      {100, 0, 100, 100},
      {100.1, 0, 100, 100},     {0, 0, 20, -100},        {1, 0, 20, -90},
      {8, 0, 20, -20},          {20, 0, 20, 100},        {21, 0, 20, 100},
      {-5, -10, 10, -50},       {0, -10, 10, 0},         {5, -10, 10, 50},
      {1e18, 0, 1e3, 100},      {-1e18, 0, 1e3, -100},   {kInfinity, 0, 1, 100},
      {-kInfinity, 0, 1, -100}, {524288, 0, 1048576, 0}, {1048576, 0, 1048576, 100},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::Message() << c.value << " in " << c.min << ".." << c.max);
    EXPECT_EQ(normalise(c.value, {.min = c.min, .max = c.max}), c.score);
  }
}

TEST(Normalise, FollowsTheSimplifiedFormulaOfTheArticle) {
  struct Case {
    double value;
    double max;
    std::int32_t score;
  };
  const Case cases[] = {
      {12, 100, 12},         {12.9, 100, 12},         {0.9, 100, 0},    {0, 100, 0},
      {-3, 100, 0},          {66, 100, 66},           {99.99, 100, 99}, {100, 100, 100},
      {250, 100, 100},       {44040, 1048576, 4},  // The article's cluster: 43 GiB free.
      {576717, 1048576, 55}, {1048576, 1048576, 100},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::Message() << c.value << " of " << c.max);
    EXPECT_EQ(normalise(c.value, {.max = c.max, .range = Range::Positive}), c.score);
  }
}

TEST(Normalise, SaturatesWhereBoundsAreSetByHand) {
  const Normaliser bounds{.min = 2, .max = 8};
  EXPECT_EQ(normalise(8, bounds), 100);
  EXPECT_EQ(normalise(9, bounds), 100);
  EXPECT_EQ(normalise(2, bounds), -100);
  EXPECT_EQ(normalise(1, bounds), -100);
}

TEST(Normalise, GivesEqualStepsToEqualFactorsOnALogarithm) {
  const Normaliser bounds{.max = 999, .curve = Curve::Log, .range = Range::Positive};
  EXPECT_EQ(normalise(0, bounds), 0);
  EXPECT_EQ(normalise(9, bounds), 33);
  EXPECT_EQ(normalise(99, bounds), 66);
  EXPECT_EQ(normalise(999, bounds), 100);
  EXPECT_EQ(normalise(5000, bounds), 100);
  EXPECT_EQ(normalise(-5, bounds), 0);
  EXPECT_EQ(normalise(99, {.max = 9999, .curve = Curve::Log}), 0);
}

TEST(Normalise, MirrorsWithinItsRangeWhereLowerIsBetter) {
  const auto lower = Direction::LowerIsBetter;
  EXPECT_EQ(normalise(0, {.max = 100, .direction = lower}), 100);
  EXPECT_EQ(normalise(25, {.max = 100, .direction = lower}), 50);
  EXPECT_EQ(normalise(100, {.max = 100, .direction = lower}), -100);
  EXPECT_EQ(normalise(0, {.max = 100, .range = Range::Positive, .direction = lower}), 100);
  EXPECT_EQ(normalise(30, {.max = 100, .range = Range::Positive, .direction = lower}), 70);
  EXPECT_EQ(normalise(200, {.max = 100, .range = Range::Positive, .direction = lower}), 0);
}

TEST(Normalise, HasNoScoreForWhatIsNoNumber) {
  EXPECT_EQ(normalise(std::nan(""), {.max = 100}), std::nullopt);
  EXPECT_EQ(normalise(std::nan(""), {.max = 100, .curve = Curve::Log}), std::nullopt);
  EXPECT_EQ(rounded_score(std::nan("")), std::nullopt);
}

TEST(Normalise, RefusesBoundsThatAreNoLine) {
  const double nan = std::nan("");
  for (const Normaliser& bad :
       {Normaliser{.min = 1, .max = 1}, Normaliser{.min = 2, .max = 1}, Normaliser{.max = nan},
        Normaliser{.min = nan, .max = 1}, Normaliser{.max = kInfinity},
        Normaliser{.min = -1e308, .max = 1e308}}) {
    EXPECT_FALSE(check_normaliser(bad).ok()) << bad.min << ".." << bad.max;
  }
  EXPECT_TRUE(check_normaliser({.min = -1, .max = 1}).ok());
}

TEST(Normalise, IsExactOnWholeNumbers) {
  EXPECT_EQ(normalise_exact(29, {.max = 100, .range = Range::Positive}), 29);
  EXPECT_EQ(normalise(0.29, {.max = 1, .range = Range::Positive}), 28) << "doubles are not";
  EXPECT_EQ(normalise_exact(12'000, {.max = 100'000, .range = Range::Positive}), 12);
  EXPECT_EQ(normalise_exact(12'999, {.max = 100'000, .range = Range::Positive}), 12);
  EXPECT_EQ(normalise_exact(12'000, {.max = 100'000}), -76);
  EXPECT_EQ(normalise_exact(1, {.max = 3}), -33);
  EXPECT_EQ(normalise_exact(2, {.max = 3}), 33);
  EXPECT_EQ(normalise_exact(-1, {.max = 3}), -100);
  EXPECT_EQ(normalise_exact(4, {.max = 3}), 100);
  EXPECT_EQ(normalise_exact(1, {.max = 4, .direction = Direction::LowerIsBetter}), 50);
}

TEST(Normalise, TakesTheShareOfNothingForTheWorst) {
  EXPECT_EQ(normalise_exact(0, {.max = 0}), -100);
  EXPECT_EQ(normalise_exact(0, {.max = 0, .range = Range::Positive}), 0);
  EXPECT_EQ(normalise_exact(1, {.max = 0}), 100);
}

TEST(Normalise, RoundsWhatIsAScoreAlready) {
  EXPECT_EQ(rounded_score(30.4, 0, 100), 30);
  EXPECT_EQ(rounded_score(30.5, 0, 100), 31);
  EXPECT_EQ(rounded_score(-0.5), -1);
  EXPECT_EQ(rounded_score(1e300), 100);
  EXPECT_EQ(rounded_score(-7, 0, 100), 0);
  EXPECT_EQ(rounded_score(-kInfinity), -100);
}

RC_GTEST_PROP(Normalise, StaysInItsRangeAndNeverFallsAsTheValueRises,
              (double a, double b, double min, double span)) {
  const auto range = *rc::gen::element(Range::Full, Range::Positive);
  const auto curve = *rc::gen::element(Curve::Linear, Curve::Log);
  const Normaliser normaliser{
      .min = min, .max = min + std::abs(span), .curve = curve, .range = range};
  RC_PRE(check_normaliser(normaliser).ok());
  const auto low = *normalise(std::min(a, b), normaliser);
  const auto high = *normalise(std::max(a, b), normaliser);
  RC_ASSERT(low <= high);
  RC_ASSERT(low >= (range == Range::Full ? kScoreMin : 0));
  RC_ASSERT(high <= kScoreMax);
}

RC_GTEST_PROP(Normalise, ExactlyStaysInItsRangeAndNeverFallsAsTheValueRises,
              (std::int64_t a, std::int64_t b, std::int64_t min, std::int64_t max)) {
  const auto range = *rc::gen::element(Range::Full, Range::Positive);
  const ExactLine line{.min = min, .max = max, .range = range};
  const auto low = normalise_exact(std::min(a, b), line);
  const auto high = normalise_exact(std::max(a, b), line);
  RC_ASSERT(low <= high);
  RC_ASSERT(low >= (range == Range::Full ? kScoreMin : 0));
  RC_ASSERT(high <= kScoreMax);
}

}  // namespace
}  // namespace berth::scores
