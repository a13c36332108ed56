#include "cel/arena.h"

#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Arena, AlignsWhatItGives) {
  Arena arena;
  arena.allocate(1, 1);
  const auto address = reinterpret_cast<std::uintptr_t>(arena.allocate(8, 8));
  EXPECT_EQ(address % 8, 0U);
}

TEST(Arena, GrowsForAnythingAndCountsIt) {
  Arena arena;
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(arena.copy(large), large);
  EXPECT_EQ(arena.copy("small"), "small");
  EXPECT_EQ(arena.bytes_used(), large.size() + 5);
}

TEST(Arena, DestroysWhatItMadeOnReset) {
  Arena arena;
  auto shared = std::make_shared<int>(1);
  arena.make<std::shared_ptr<int>>(shared);
  EXPECT_EQ(shared.use_count(), 2);
  arena.reset();
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(arena.bytes_used(), 0U);
}

}  // namespace
}  // namespace berth::cel
