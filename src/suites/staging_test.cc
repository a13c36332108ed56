#include "suites/staging.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::suites {
namespace {

using ::testing::HasSubstr;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(BERTH_SCENARIOS)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

local::Scenario scenario_of(const std::string& text) {
  auto scenario = local::read_scenario(text);
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return scenario.ok() ? *std::move(scenario) : local::Scenario();
}

class ShippedScenarios : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(ShippedScenarios, GoAsTheyExpect) {
  const local::Scenario scenario = scenario_of(contents(GetParam()));
  const auto staged = stage(scenario, 1);
  ASSERT_TRUE(staged.ok()) << staged.error().message;
  EXPECT_EQ(staged->failures, 0) << fmt::format("{}", fmt::join(staged->told, "\n"));
  EXPECT_GE(staged->told.size(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Each, ShippedScenarios, ::testing::ValuesIn(shipped()),
                         [](const auto& test) {
                           std::string name = test.param.stem().string();
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

constexpr const char* kOutage = R"(
leaseDuration: 2s
clusters: [{name: a, nodes: 2}]
placements: [{name: web}]
timeline:
- {at: 0s, expect: {web: [a]}}
- {at: 1s, outage: [a]}
- {at: 60s, expect: {web: [a]}, within: 5s}
)";

TEST(Staging, TellsWhatDidNotComeTrueAndWhy) {
  const auto staged = stage(scenario_of(kOutage), 1);
  ASSERT_TRUE(staged.ok()) << staged.error().message;
  EXPECT_EQ(staged->failures, 1);
  ASSERT_EQ(staged->told.size(), 3U);
  EXPECT_EQ(staged->told[0], "line 6: web is on a, as expected");
  EXPECT_EQ(staged->told[1], "line 8: web should be on a within 5 s, and is nowhere");
  EXPECT_THAT(staged->told[2], HasSubstr("unreachable"));
}

TEST(Staging, GoesTheSameWayEachTime) {
  const auto one = stage(scenario_of(kOutage), 7);
  const auto other = stage(scenario_of(kOutage), 7);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(one->told, other->told);
}

}  // namespace
}  // namespace berth::suites
