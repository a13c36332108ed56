#include "http/output_buffer.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace berth::http {
namespace {

TEST(OutputBuffer, IsAQueueOfBytes) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& pieces) {
    OutputBuffer buffer;
    std::string expected;
    std::string taken;
    for (const std::string& piece : pieces) {
      const auto repeat = *rc::gen::inRange(0, 300);
      for (int i = 0; i < repeat; ++i) buffer.append(piece), expected += piece;
      const auto part = *rc::gen::inRange<std::size_t>(0, buffer.size() + 1);
      taken += buffer.view().substr(0, part);
      buffer.drop(part);
    }
    taken += buffer.view();
    RC_ASSERT(taken == expected);
  }));
}

TEST(OutputBuffer, LetsAProducerWriteInPlace) {
  OutputBuffer buffer;
  buffer.append("head:");
  const auto room = buffer.room(100'000);
  ASSERT_EQ(room.size(), 100'000u);
  std::ranges::fill(room, 'x');
  EXPECT_EQ(buffer.view(), "head:");
  buffer.commit(3);
  EXPECT_EQ(buffer.view(), "head:xxx");
}

TEST(OutputBuffer, KeepsItsMemoryWhileBusyAndGivesItBackWhenQuiet) {
  OutputBuffer buffer;
  for (int i = 0; i < 3; ++i) {
    buffer.append(std::string(50'000, 'x'));
    buffer.drop(50'000);
    EXPECT_GE(buffer.capacity(), 50'000u);
  }
  buffer.append("a PING");
  buffer.drop(6);
  EXPECT_EQ(buffer.capacity(), 0u);
}

}  // namespace
}  // namespace berth::http
