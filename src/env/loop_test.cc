#include "env/loop.h"

#include <gtest/gtest.h>

namespace berth::env {
namespace {

using namespace std::chrono_literals;

class FixedClock final : public Clock {
 public:
  explicit FixedClock(Instant monotonic) : monotonic_(monotonic) {}
  Time now() const override { return {}; }
  Instant monotonic() const override { return monotonic_; }

 private:
  Instant monotonic_;
};

class RecordingLoop final : public Loop {
 public:
  void post(Task /*task*/) override {}
  Timer at(Instant when, Task /*task*/) override {
    armed = when;
    return {};
  }
  Instant armed;
};

TEST(After, CountsFromNow) {
  RecordingLoop loop;
  const Timer timer = after(loop, FixedClock(Instant(10s)), 5s, [] {});
  EXPECT_EQ(loop.armed, Instant(15s));
}

TEST(After, SaturatesInsteadOfWrappingIntoThePast) {
  RecordingLoop loop;
  const Timer timer = after(loop, FixedClock(Instant(10s)), Duration::max(), [] {});
  EXPECT_EQ(loop.armed, Instant::max());
}

}  // namespace
}  // namespace berth::env
