#include "local/rollout.h"

#include <vector>

#include <gtest/gtest.h>

#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using Sizes = std::vector<std::int64_t>;
using testing::parsed;

RolloutLimits limits_of(std::string_view spec) {
  json::Value deployment = json::Value::object();
  deployment["spec"] = parsed(spec);
  return rollout_limits(deployment);
}

TEST(RolloutLimitsOfADeployment, RoundSurgeUpAndWhatMayBeMissingDown) {
  const RolloutLimits limits = limits_of(R"({"replicas":10})");
  EXPECT_EQ(limits.surge, 3);
  EXPECT_EQ(limits.unavailable, 2);
}

TEST(RolloutLimitsOfADeployment, AreNeverBothNothing) {
  const RolloutLimits limits = limits_of(
      R"({"replicas":3,"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":"10%"}}})");
  EXPECT_EQ(limits.surge, 0);
  EXPECT_EQ(limits.unavailable, 1);
}

TEST(RollingUpdates, CreateTheFirstSetWhole) {
  EXPECT_EQ(next_step({.replicas = 3, .surge = 1}, std::nullopt, {}).new_size, 3);
}

TEST(RollingUpdates, AddTheSurgeFirst) {
  const RolloutLimits limits{.replicas = 4, .surge = 1, .unavailable = 1};
  const RolloutStep step = next_step(limits, SetSize{}, {{.wanted = 4, .pods = 4, .available = 4}});
  EXPECT_EQ(step.new_size, 1);
  EXPECT_EQ(step.old_sizes, Sizes{4});
}

TEST(RollingUpdates, ShrinkTheOldWhileEnoughAreAvailable) {
  const RolloutLimits limits{.replicas = 4, .surge = 1, .unavailable = 1};
  const RolloutStep step = next_step(limits, SetSize{.wanted = 1, .pods = 1, .available = 0},
                                     {{.wanted = 4, .pods = 4, .available = 4}});
  EXPECT_EQ(step.old_sizes, Sizes{3});
}

TEST(RollingUpdates, TakeWhatIsNotAvailableFirst) {
  const RolloutLimits limits{.replicas = 4, .surge = 0, .unavailable = 2};
  const RolloutStep step = next_step(
      limits, SetSize{},
      {{.wanted = 2, .pods = 2, .available = 2}, {.wanted = 2, .pods = 2, .available = 0}});
  EXPECT_EQ(step.old_sizes, (Sizes{2, 0}));
}

TEST(RollingUpdates, EndWithTheNewSetAloneWhateverTheStart) {
  for (std::int64_t replicas = 1; replicas <= 7; ++replicas) {
    for (std::int64_t surge = 0; surge <= 2; ++surge) {
      const RolloutLimits limits{.replicas = replicas, .surge = surge, .unavailable = 1};
      SetSize current;
      std::vector<SetSize> old = {{.wanted = replicas, .pods = replicas, .available = replicas}};
      for (int round = 0; round < 40; ++round) {
        const RolloutStep step = next_step(limits, current, old);
        EXPECT_LE(step.new_size + step.old_sizes[0], replicas + surge) << "too many pods";
        EXPECT_GE(current.available + std::min(old[0].available, step.old_sizes[0]),
                  replicas - limits.unavailable)
            << "too few";
        current = {.wanted = step.new_size, .pods = step.new_size, .available = step.new_size};
        old[0] = {
            .wanted = step.old_sizes[0], .pods = step.old_sizes[0], .available = step.old_sizes[0]};
      }
      EXPECT_EQ(current.wanted, replicas);
      EXPECT_EQ(old[0].wanted, 0);
    }
  }
}

TEST(Recreation, WaitsUntilTheLastOldPodIsGone) {
  const RolloutLimits limits{.recreates = true, .replicas = 3};
  const RolloutStep begin = next_step(limits, std::nullopt, {{.wanted = 3, .pods = 3}});
  EXPECT_EQ(begin.new_size, 0);
  EXPECT_EQ(begin.old_sizes, Sizes{0});
  EXPECT_EQ(next_step(limits, SetSize{}, {{.wanted = 0, .pods = 1}}).new_size, 0);
  EXPECT_EQ(next_step(limits, SetSize{}, {{.wanted = 0, .pods = 0}}).new_size, 3);
}

}  // namespace
}  // namespace berth::local
