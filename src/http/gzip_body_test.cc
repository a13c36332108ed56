#include "http/gzip_body.h"

#include <memory>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

std::string drained(GzipBody body, std::size_t room_size) {
  std::string bytes;
  std::string room(room_size, '\0');
  for (;;) {
    const Pull pull = body.pull(room);
    bytes.append(room, 0, pull.bytes);
    if (pull.state != Pull::State::More) {
      EXPECT_EQ(pull.state, Pull::State::End);
      return bytes;
    }
    // More without bytes would be taken as Waiting.
    EXPECT_GT(pull.bytes, 0u);
  }
}

TEST(GzipBody, UnpacksToTheTextInRoomsOfAnySize) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * i);
  for (const std::size_t room : {std::size_t{1}, std::size_t{777}, std::size_t{100'000}}) {
    const std::string packed = drained(GzipBody(Body(text)), room);
    EXPECT_LT(packed.size(), text.size());
    EXPECT_EQ(gunzip(packed, {}).value_or(""), text) << room;
  }
}

TEST(GzipBody, OfNothingIsAWholeStream) {
  EXPECT_EQ(gunzip(drained(GzipBody(Body()), 100), {}).value_or("?"), "");
}

TEST(GzipBody, FailsWithTheBodyThatItPacks) {
  class Broken final : public BodySource {
    Pull pull(std::span<char>) override { return {.bytes = 0, .state = Pull::State::Failed}; }
  };
  GzipBody body{Body(std::unique_ptr<BodySource>(std::make_unique<Broken>()))};
  std::string room(10, '\0');
  EXPECT_EQ(body.pull(room).state, Pull::State::Failed);
}

}  // namespace
}  // namespace berth::http
