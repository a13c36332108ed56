// The main of every unit test program: each test has a time limit, and what is drawn is drawn from
// the same seed every time unless $RC_PARAMS names another (tests/deep/run does).
//
//   BERTH_TEST_SECONDS=60   the limit of one test

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "main/repeating.h"
#include "main/time_limit.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  constexpr int kKeep = 0;
  ::setenv("RC_PARAMS", "seed=1", kKeep);
  const char* said = std::getenv("BERTH_TEST_SECONDS");
  berth::testing::limit_each_test(std::chrono::seconds(std::atoi(said ? said : "60")));
  berth::testing::tell_how_to_repeat();
  return RUN_ALL_TESTS();
}
