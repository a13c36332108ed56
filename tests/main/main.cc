// The main of every unit test program: each test has a time limit, and what is drawn is drawn from
// the same seed every time unless $RC_PARAMS names another (tests/deep/run does).

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "main/repeating.h"
#include "main/time_limit.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  constexpr int kKeep = 0;
  ::setenv("RC_PARAMS", "seed=1", kKeep);
  berth::testing::limit_each_test(std::chrono::seconds(60));
  berth::testing::tell_how_to_repeat();
  return RUN_ALL_TESTS();
}
