#include "runtime/thread_workers.h"

#include <atomic>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

namespace berth::runtime {
namespace {

TEST(ThreadWorkers, CallEachIndexOnce) {
  ThreadWorkers workers(3);
  for (const std::size_t n : {0u, 1u, 2u, 7u, 1000u}) {
    std::vector<int> calls(n, 0);
    workers.for_each(n, [&calls](std::size_t i) { ++calls[i]; });
    EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), 0), static_cast<int>(n));
    EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), static_cast<std::ptrdiff_t>(n));
  }
}

TEST(ThreadWorkers, WorkWithoutThreads) {
  ThreadWorkers workers(0);
  int sum = 0;
  workers.for_each(10, [&sum](std::size_t i) { sum += static_cast<int>(i); });
  EXPECT_EQ(sum, 45);
}

TEST(ThreadWorkers, AreSharedByCallersOfManyThreads) {
  ThreadWorkers workers(2);
  std::atomic<std::size_t> total = 0;
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int round = 0; round < 50; ++round) {
          std::vector<std::size_t> slots(64, 0);
          env::parallel_for(workers)(slots.size(), [&slots](std::size_t i) { slots[i] = i; });
          total += std::accumulate(slots.begin(), slots.end(), std::size_t{0});
        }
      });
    }
  }
  EXPECT_EQ(total, 4u * 50 * (63 * 64 / 2));
}

}  // namespace
}  // namespace berth::runtime
