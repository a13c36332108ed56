#include "env/inbox.h"

#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace berth::env {
namespace {

using Box = Inbox<std::unique_ptr<int>>;

TEST(Inbox, SaysWhenItsOwnerMustBeWoken) {
  Box box({.items_max = 10, .weight_max = 10});
  EXPECT_EQ(box.add(std::make_unique<int>(1), 1), Box::AddOutcome::First);
  EXPECT_EQ(box.add(std::make_unique<int>(2), 1), Box::AddOutcome::Added);
  const auto items = box.take();
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(*items[0], 1);
  EXPECT_EQ(*items[1], 2);
  EXPECT_TRUE(box.take().empty());
  EXPECT_EQ(box.add(std::make_unique<int>(3), 1), Box::AddOutcome::First);
}

TEST(Inbox, RefusesWhatIsTooManyOrTooHeavy) {
  Box few({.items_max = 1, .weight_max = 100});
  EXPECT_EQ(few.add(std::make_unique<int>(1), 1), Box::AddOutcome::First);
  auto refused = std::make_unique<int>(2);
  EXPECT_EQ(few.add(std::move(refused), 1), Box::AddOutcome::Full);
  EXPECT_NE(refused, nullptr);
  few.take();
  EXPECT_EQ(few.add(std::move(refused), 1), Box::AddOutcome::First);

  Box light({.items_max = 10, .weight_max = 10});
  EXPECT_EQ(light.add(std::make_unique<int>(1), 11), Box::AddOutcome::First);
  EXPECT_EQ(light.add(std::make_unique<int>(1), 1), Box::AddOutcome::Full);
  light.take();
  EXPECT_EQ(light.add(std::make_unique<int>(1), 5), Box::AddOutcome::First);
  EXPECT_EQ(light.add(std::make_unique<int>(1), 5), Box::AddOutcome::Added);
}

TEST(Inbox, LosesNothingThatThreadsSend) {
  constexpr int kEach = 5'000;
  Inbox<int> box({.items_max = 4 * kEach, .weight_max = 4 * kEach});
  const auto send = [&](int base) {
    for (int i = 0; i < kEach; ++i) ASSERT_NE(box.add(base + i, 1), Inbox<int>::AddOutcome::Full);
  };
  std::vector<int> taken;
  {
    const std::jthread one([&] { send(0); });
    const std::jthread two([&] { send(kEach); });
    while (taken.size() < 2 * kEach) {
      for (const int item : box.take()) taken.push_back(item);
    }
  }
  int last_low = -1;
  int last_high = kEach - 1;
  for (const int item : taken) {
    int& last = item < kEach ? last_low : last_high;
    ASSERT_EQ(item, last + 1);
    last = item;
  }
}

}  // namespace
}  // namespace berth::env
