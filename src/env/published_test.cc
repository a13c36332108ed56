#include "env/published.h"

#include <thread>

#include <gtest/gtest.h>

namespace berth::env {
namespace {

TEST(Published, ReadersKeepWhatTheyHaveRead) {
  Published<int> published(std::make_shared<const int>(1));
  const auto first = published.read();
  published.publish(std::make_shared<const int>(2));
  EXPECT_EQ(*first, 1);
  EXPECT_EQ(*published.read(), 2);
  EXPECT_EQ(first.use_count(), 1);
}

TEST(Published, ReadersOnOtherThreadsNeverGoBack) {
  constexpr int kLast = 10'000;
  Published<int> published(std::make_shared<const int>(0));
  const auto read = [&] {
    for (int last = 0; last < kLast;) {
      const int now = *published.read();
      ASSERT_LE(last, now);
      last = now;
    }
  };
  std::jthread one(read);
  std::jthread two(read);
  for (int i = 1; i <= kLast; ++i) published.publish(std::make_shared<const int>(i));
}

}  // namespace
}  // namespace berth::env
