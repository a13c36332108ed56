#include "control/retry_delays.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::control {
namespace {

using namespace std::chrono_literals;

TEST(RetryDelays, DoublePerFailureOfTheSameKeyUpToABound) {
  RetryDelays<std::string> delays;
  EXPECT_EQ(delays.next("a"), 5ms);
  EXPECT_EQ(delays.next("a"), 10ms);
  EXPECT_EQ(delays.next("b"), 5ms);
  EXPECT_EQ(delays.next("a"), 20ms);
  for (int i = 0; i < 200; ++i) delays.next("a");
  EXPECT_EQ(delays.next("a"), 1000s);
}

TEST(RetryDelays, SuccessStartsAnew) {
  RetryDelays<std::string> delays;
  delays.next("a");
  EXPECT_EQ(delays.failures("a"), 1);
  delays.reset("a");
  EXPECT_EQ(delays.failures("a"), 0);
  EXPECT_EQ(delays.next("a"), 5ms);
}

}  // namespace
}  // namespace berth::control
