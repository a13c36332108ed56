#include "http/body.h"

#include <array>
#include <utility>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

std::string drain(Body body) {
  std::string text;
  std::array<char, 3> room;
  for (Pull pulled = {.state = Pull::State::More}; pulled.state == Pull::State::More;) {
    pulled = body.pull(room);
    text.append(room.data(), pulled.bytes);
  }
  return text;
}

TEST(Body, GivesAWholeTextPieceByPiece) {
  EXPECT_EQ(drain(std::string("abcdefgh")), "abcdefgh");
  EXPECT_EQ(drain(std::make_shared<const std::string>("abcdef")), "abcdef");
  EXPECT_EQ(drain({}), "");
}

TEST(Body, KnowsTheLengthOfAWholeTextOnly) {
  class Endless : public BodySource {
    Pull pull(std::span<char>) override { return {.bytes = 0, .state = Pull::State::More}; }
  };
  EXPECT_EQ(Body("abc").length(), 3u);
  EXPECT_TRUE(Body().empty());
  Body streamed(std::make_unique<Endless>());
  EXPECT_EQ(streamed.length(), std::nullopt);
  EXPECT_FALSE(streamed.empty());
  std::array<char, 3> room;
  EXPECT_EQ(streamed.pull(room).state, Pull::State::Waiting);
}

}  // namespace
}  // namespace berth::http
