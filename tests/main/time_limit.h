// A limit for every single test, kept by an alarm of the process: a test that hangs is named and
// ends its program, long before ctest would end it without a word.

#pragma once

#include <chrono>

namespace berth::testing {

// For all tests that follow. $BERTH_TEST_SECONDS, where it is set, has the last word.
void limit_each_test(std::chrono::seconds limit);

}  // namespace berth::testing
