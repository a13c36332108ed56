#include "http/http2_server.h"

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

TEST(Http2Server, AnswersAPlainRequest) {
  Victim victim;
  victim.receive(get(1));
  EXPECT_EQ(victim.service.seen[1].head.authority, "h");
  EXPECT_EQ(victim.service.seen[1].closed, StreamEnd::Answered);
  EXPECT_THAT(victim.sent, HasSubstr("ok"));
}

TEST(Http2Server, RefusesStreamsAboveTheLimitAndEndsTheirFlood) {
  Victim victim;
  victim.service.at_end = {};
  for (int i = 0; i < 100; ++i) victim.receive(get(odd(i)));
  EXPECT_EQ(victim.server->open_streams(), 100u);
  const int survived = victim.until_goaway(2000, [](int i) { return get(odd(100 + i)); });
  EXPECT_EQ(victim.service.seen.size(), 100u);
  EXPECT_LE(survived, 502);
}

TEST(Http2Server, AnswersAHeadThatIsTooLargeWithoutKeepingIt) {
  for (const bool many : {true, false}) {
    ServerOptions options;
    options.limits.header_bytes = 2000;
    options.limits.header_count = 10;
    Victim victim(options);
    std::string fields =
        block({{":method", "GET"}, {":scheme", "https"}, {":path", "/"}, {":authority", "h"}});
    for (int i = 0; i < (many ? 20 : 9); ++i) {
      fields += block({{"name", many ? "v" : std::string(120, 'v')}});
      if (!many) fields += block({{"other", std::string(120, 'v')}});
    }
    victim.receive(frame(FrameType::Headers, kEndStream | kEndHeaders, 1, fields));
    EXPECT_TRUE(victim.service.seen.empty());
    EXPECT_THAT(victim.sent, HasSubstr("the head is too large"));
    EXPECT_FALSE(victim.server->finished());
    victim.receive(get(3));
    EXPECT_EQ(victim.service.seen.size(), 1u) << "other streams do not suffer";
  }
}

TEST(Http2Server, RefusesHeadsThatHttpForbids) {
  const std::string heads[] = {
      block({{":method", "GET"}, {":scheme", "https"}, {":path", "no-slash"}, {":authority", "h"}}),
      block({{":method", "CONNECT"}, {":authority", "h:1"}}),
      block({{":method", "GET"}, {":scheme", "https"}, {":authority", "h"}}),
      block({{":scheme", "https"}, {":path", "/"}, {":authority", "h"}}),
      block({{":method", "GET"},
             {":scheme", "https"},
             {":path", "/"},
             {":authority", "h"},
             {"Upper", "x"}}),
      block({{":method", "GET"},
             {":scheme", "https"},
             {":path", "/"},
             {":authority", "h"},
             {"connection", "close"}}),
      block({{":method", "GET"},
             {":scheme", "https"},
             {":path", "/"},
             {":authority", "h"},
             {"a", "b\r\nc"}}),
      block({{":method", "GET"},
             {":scheme", "https"},
             {":path", "/"},
             {":path", "/"},
             {":authority", "h"}}),
      block({{":method", "GET"},
             {":scheme", "https"},
             {"a", "b"},
             {":path", "/"},
             {":authority", "h"}}),
      block({{":method", "GET"},
             {":scheme", "https"},
             {":path", "/"},
             {":authority", "h"},
             {"content-length", "x"}}),
  };
  for (const std::string& head : heads) {
    Victim victim;
    victim.receive(frame(FrameType::Headers, kEndStream | kEndHeaders, 1, head));
    EXPECT_TRUE(victim.service.seen.empty()) << head;
    victim.receive(get(3));
    EXPECT_EQ(victim.service.seen.size(), 1u) << "the connection goes on";
  }
}

TEST(Http2Server, ResetsABodyThatBeliesItsLength) {
  Victim victim;
  victim.receive(frame(FrameType::Headers, kEndHeaders, 1,
                       block({{":method", "POST"},
                              {":scheme", "https"},
                              {":path", "/"},
                              {":authority", "h"},
                              {"content-length", "3"}})) +
                 frame(FrameType::Data, kEndStream, 1, "too long"));
  EXPECT_FALSE(victim.service.seen[1].ended);
  EXPECT_EQ(victim.service.seen[1].closed, StreamEnd::Cancelled);
}

TEST(Http2Server, ResetsAStreamWhoseReaderOpensNoWindow) {
  Victim victim;
  auto tap = std::make_shared<Tap::State>();
  tap->endless = 1'000'000;
  victim.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  victim.receive(settings(4, 1000) + get(1));  // INITIAL_WINDOW_SIZE
  EXPECT_EQ(tap->produced, 1000u);
  for (int i = 0; i < 4; ++i) {  // The connection lives, only this stream does not get on.
    victim.now += 15s;
    victim.receive(frame(FrameType::Ping, 0, 0, "12345678"));
    victim.server->on_time(victim.now);
    victim.flush();
  }
  EXPECT_EQ(victim.service.seen[1].closed, StreamEnd::Cancelled);
  EXPECT_TRUE(tap->destroyed);
  EXPECT_FALSE(victim.server->finished());
}

}  // namespace
}  // namespace berth::http
