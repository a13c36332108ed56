#include "fleet/addons/rollout_strategy.h"

#include <string_view>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;

Result<RolloutStrategy> read(std::string_view text) {
  return read_rollout_strategy(json::parse(text).value());
}

TEST(RolloutStrategyText, IsReadFromThePartThatItsTypeNames) {
  const auto strategy = read(R"({"type":"Progressive","all":{"progressDeadline":"1h"},
      "progressive":{"mandatoryDecisionGroups":[{"groupName":"canary"},{"groupIndex":2}],
      "maxConcurrency":"25%","maxFailures":2,"minSuccessTime":"5m","progressDeadline":"10m"}})");
  ASSERT_TRUE(strategy.ok());
  EXPECT_EQ(strategy->type, RolloutType::Progressive);
  ASSERT_EQ(strategy->mandatory.size(), 2u);
  EXPECT_EQ(strategy->mandatory[0].name, "canary");
  EXPECT_EQ(strategy->mandatory[1].index, 2);
  EXPECT_EQ(strategy->concurrency, api::GroupSize("25%"));
  EXPECT_EQ(strategy->failures_max, api::GroupSize(std::int64_t{2}));
  EXPECT_EQ(strategy->success_time_min, 5min);
  EXPECT_EQ(strategy->deadline, Duration(10min));
}

TEST(RolloutStrategyText, AsksForNothingSpecialWhenItIsAbsent) {
  const auto strategy = read("{}");
  ASSERT_TRUE(strategy.ok());
  EXPECT_EQ(strategy->type, RolloutType::All);
  EXPECT_EQ(strategy->deadline, std::nullopt);
  EXPECT_EQ(read(R"({"type":"All","all":{"progressDeadline":"None"}})")->deadline, std::nullopt);
}

TEST(RolloutStrategyText, IsRefusedWithThePartThatCannotBeRead) {
  EXPECT_NE(read(R"({"type":"Fast"})").error().message.find("Fast"), std::string::npos);
  EXPECT_NE(
      read(R"({"type":"All","all":{"progressDeadline":"soon"}})").error().message.find("soon"),
      std::string::npos);
  EXPECT_FALSE(read(R"({"type":"Progressive","progressive":{"maxFailures":"few"}})").ok());
  EXPECT_FALSE(read(R"({"type":"Progressive","progressive":{"maxConcurrency":"%"}})").ok());
}

TEST(Portion, IsRoundedUpAndNeverMoreThanThereAre) {
  const auto of_ten = [](const api::GroupSize& size) {
    return portion_of(size, {.total = 10, .otherwise = 7}).value();
  };
  EXPECT_EQ(of_ten("25%"), 3u);
  EXPECT_EQ(of_ten("100%"), 10u);
  EXPECT_EQ(of_ten("0%"), 7u);
  EXPECT_EQ(of_ten(std::int64_t{4}), 4u);
  EXPECT_EQ(of_ten(std::int64_t{0}), 7u);
  EXPECT_EQ(of_ten(std::int64_t{11}), 7u);
}

}  // namespace
}  // namespace berth::fleet
