#include "http/http2_callbacks.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/testing/frames.h"
#include "http/testing/loopback.h"
#include "http/testing/victim.h"

namespace berth::http {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using ::testing::HasSubstr;

TEST(Http2Callbacks, EndsRapidResetsCalmly) {
  Victim victim;
  victim.service.at_end = {};
  const int survived =
      victim.until_goaway(2000, [](int i) { return get(odd(i)) + reset(odd(i), 8); });
  EXPECT_GE(survived, 500);
  EXPECT_LE(survived, 502);
  EXPECT_THAT(victim.sent, HasSubstr(kCalmDown));
  EXPECT_THAT(victim.server->reason()->message, HasSubstr("too many streams reset"));
  EXPECT_EQ(victim.server->open_streams(), 0u);
}

TEST(Http2Callbacks, LetsAClientCancelAtAHumanPace) {
  Victim victim;
  victim.service.at_end = {};
  for (int i = 0; i < 5000; ++i) {
    victim.receive(get(odd(i)) + reset(odd(i), 8));
    victim.now += 20ms;
  }
  EXPECT_FALSE(victim.server->finished());
  EXPECT_EQ(victim.service.seen.size(), 5000u);
}

// The relative of rapid reset: the client provokes the server into resetting.
TEST(Http2Callbacks, EndsProvokedResetsCalmly) {
  Victim victim;
  victim.service.at_end = {};
  const int survived = victim.until_goaway(2000, [](int i) {
    return get(odd(i)) + frame(FrameType::WindowUpdate, 0, odd(i), big_endian(0));
  });
  EXPECT_LE(survived, 502);
  EXPECT_TRUE(victim.server->finished());
}

TEST(Http2Callbacks, EndsFloodsOfFramesThatCarryNothing) {
  struct Case {
    std::string_view what;
    std::string bytes;
  };
  const Case cases[] = {
      {"ping", frame(FrameType::Ping, 0, 0, "12345678")},
      {"ping answers", frame(FrameType::Ping, kAck, 0, "12345678")},
      {"settings", frame(FrameType::Settings, 0, 0, "")},
      {"priority", frame(FrameType::Priority, 0, 3, std::string("\0\0\0\0\1", 5))},
      {"empty data", frame(FrameType::Data, 0, 1, "")},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Victim victim;
    victim.receive(frame(
        FrameType::Headers, kEndHeaders, 1,
        block({{":method", "POST"}, {":scheme", "https"}, {":path", "/"}, {":authority", "h"}})));
    const int survived = victim.until_goaway(3000, [&](int) { return c.bytes; });
    EXPECT_GE(survived, 990);
    EXPECT_LE(survived, 1001);
    EXPECT_THAT(victim.sent, HasSubstr(kCalmDown));
  }
}

TEST(Http2Callbacks, EndsAFloodOfContinuations) {
  Victim victim;
  victim.receive(frame(FrameType::Headers, kEndStream, 1, block({{":method", "GET"}})));
  const std::string more = frame(FrameType::Continuation, 0, 1, block({{"a", "b"}}));
  const int survived = victim.until_goaway(10'000, [&](int) { return more; });
  EXPECT_LE(survived, 18);
  EXPECT_TRUE(victim.service.seen.empty());
}

TEST(Http2Callbacks, EndsAConnectionThatBreaksTheProtocol) {
  const std::string wrongs[] = {
      frame(FrameType::Data, 0, 1, "x"),
      frame(FrameType::Ping, 0, 0, "short"),
      frame(FrameType::Settings, 0, 1, ""),
      frame(FrameType::WindowUpdate, 0, 0, big_endian(0)),
      frame(FrameType::PushPromise, 0, 1, "1234"),
      frame(FrameType::Continuation, kEndHeaders, 1, ""),
      frame(FrameType::Headers, kEndHeaders, 2, block({{":method", "GET"}})),
      frame(FrameType::Headers, kEndHeaders, 1, "\xff\xff\xff\xff\xff\xff"),
      std::string("\xff\xff\xff\0\0\0\0\0\1", 9),
  };
  for (const std::string& wrong : wrongs) {
    Victim victim;
    victim.receive(wrong);
    victim.flush();
    EXPECT_TRUE(victim.server->finished()) << static_cast<int>(wrong[3]);
    ASSERT_TRUE(victim.server->reason());
    EXPECT_THAT(victim.server->reason()->message, HasSubstr("HTTP/2: "));
  }
  Service service;
  const auto server = make_server_session(Protocol::Http2, {}, service, Instant(1h));
  server->receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n", Instant(1h));
  while (!server->output(Instant(1h)).empty()) server->written(server->output(Instant(1h)).size());
  EXPECT_TRUE(server->finished());
}

}  // namespace
}  // namespace berth::http
