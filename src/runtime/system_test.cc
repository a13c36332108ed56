#include "runtime/system.h"

#include <thread>

#include <gtest/gtest.h>

namespace berth::runtime {
namespace {

TEST(System, RunsEachLoopOnAThreadOfItsOwn) {
  System system({.loops = 2, .workers = 1});
  ASSERT_EQ(system.loops(), 2u);
  std::thread::id threads[2];
  for (std::size_t i = 0; i < 2; ++i) {
    run_on(system.env(i).loop, [&, i] { threads[i] = std::this_thread::get_id(); });
  }
  EXPECT_NE(threads[0], threads[1]);
  EXPECT_NE(threads[0], std::this_thread::get_id());
}

TEST(System, SharesMetricsBetweenLoops) {
  System system({.loops = 2, .workers = 1});
  system.env(0).metrics.counter({"a_total", "A."}).increment();
  system.env(1).metrics.counter({"a_total", "A."}).increment();
  EXPECT_NE(system.env(0).metrics.exposition().find("a_total 2\n"), std::string::npos);
}

}  // namespace
}  // namespace berth::runtime
