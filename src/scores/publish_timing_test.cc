#include "scores/publish_timing.h"

#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

Instant at(Duration since) { return Instant(since); }

TEST(PublishTiming, WritesAtOnceAndThenEveryRefreshALittleEarly) {
  PublishTiming timing({}, Random(1));
  EXPECT_LE(timing.due(), at(0s));
  Duration sum{};
  for (int i = 0; i < 100; ++i) {
    timing.on_written(at(100s));
    EXPECT_GE(timing.due(), at(154s));
    EXPECT_LE(timing.due(), at(160s));
    sum += timing.due() - at(100s);
  }
  EXPECT_GT(sum / 100, 56s);
  EXPECT_LT(sum / 100, 58s) << "spread over the whole jitter";
}

TEST(PublishTiming, WritesTheFirstChangeAtOnceAndFurtherOnesAfterAPause) {
  PublishTiming timing({}, Random(1));
  timing.on_written(at(0s));
  timing.on_changed(at(1s));
  EXPECT_EQ(timing.due(), at(1s));
  timing.on_written(at(1s));
  timing.on_changed(at(2s));
  EXPECT_EQ(timing.due(), at(11s));
  timing.on_changed(at(3s));
  EXPECT_EQ(timing.due(), at(11s));
  timing.on_written(at(11s));
  timing.on_changed(at(30s));
  EXPECT_EQ(timing.due(), at(30s));
}

TEST(PublishTiming, DoesNotHoldAChangeBackAfterAMereRefresh) {
  PublishTiming timing({}, Random(1));
  timing.on_written(at(0s));
  timing.on_written(at(60s));
  timing.on_changed(at(61s));
  EXPECT_EQ(timing.due(), at(61s));
}

TEST(PublishTiming, DoesNotLetAChangeWaitForLongerThanTheRefresh) {
  PublishTiming timing({.refresh = 5s, .validity = 15s}, Random(1));
  timing.on_changed(at(0s));
  timing.on_written(at(0s));
  timing.on_changed(at(1s));
  EXPECT_LE(timing.due(), at(5s));
}

TEST(PublishTiming, RetriesLaterAndLaterAndChangesDoNotHurryIt) {
  PublishTiming timing({}, Random(1));
  const Duration most[] = {1s, 2s, 4s, 8s, 15s, 15s, 15s};
  for (const Duration delay : most) {
    timing.on_failed(at(100s));
    timing.on_changed(at(100s));
    timing.hurry(at(100s));
    EXPECT_GE(timing.due(), at(100s + delay / 2));
    EXPECT_LE(timing.due(), at(100s + delay));
  }
  timing.on_written(at(200s));
  timing.on_failed(at(300s));
  EXPECT_LE(timing.due(), at(301s)) << "after a success it begins anew";
}

TEST(PublishTiming, HurriesWithoutUsingUpTheFirstChange) {
  PublishTiming timing({}, Random(1));
  timing.on_written(at(0s));
  timing.hurry(at(1s));
  EXPECT_EQ(timing.due(), at(1s));
  timing.on_written(at(1s));
  timing.on_changed(at(2s));
  EXPECT_EQ(timing.due(), at(2s));
}

TEST(PublishTiming, RefusesTimesThatCannotWork) {
  EXPECT_TRUE(check_publish_times({}).ok());
  EXPECT_FALSE(check_publish_times({.refresh = 0s}).ok());
  EXPECT_FALSE(check_publish_times({.refresh = 60s, .validity = 60s}).ok());
  EXPECT_FALSE(check_publish_times({.jitter = 0.6}).ok());
  EXPECT_FALSE(check_publish_times({.jitter = -0.1}).ok());
  EXPECT_FALSE(check_publish_times({.change_interval = 0s}).ok());
}

}  // namespace
}  // namespace berth::scores
