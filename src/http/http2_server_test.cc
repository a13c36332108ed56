#include "http/http2_server.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/testing/frames.h"
#include "http/testing/loopback.h"

namespace berth::http {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using ::testing::HasSubstr;

// A server whose peer is a string of bytes.
struct Victim {
  explicit Victim(const ServerOptions& options = {})
      : server(make_http2_server(options, service, now)) {
    service.session = server.get();
    service.at_end = [](ServerSession& session, StreamId id, const Seen&) {
      session.respond(id, {}, "ok");
    };
    receive(hello());
  }

  void receive(const std::string& bytes) {
    server->receive(bytes, now);
    flush();
  }

  void flush() {
    for (std::string_view out; !(out = server->output(now)).empty(); server->written(out.size())) {
      sent += out;
    }
  }

  // Attacks until the server has had enough; says after how many frames.
  template <typename Attack>
  int until_goaway(int tries, const Attack& attack) {
    for (int i = 0; i < tries; ++i) {
      if (server->finished()) return i;
      receive(attack(i));
    }
    return tries;
  }

  Instant now = Instant(1h);
  Service service;
  std::unique_ptr<ServerSession> server;
  std::string sent;
};

std::uint32_t odd(int i) { return static_cast<std::uint32_t>(2 * i + 1); }

constexpr std::string_view kCalmDown("\0\0\0\x0b", 4);  // ENHANCE_YOUR_CALM

TEST(Http2Server, AnswersAPlainRequest) {
  Victim victim;
  victim.receive(get(1));
  EXPECT_EQ(victim.service.seen[1].head.authority, "h");
  EXPECT_EQ(victim.service.seen[1].closed, StreamEnd::Answered);
  EXPECT_THAT(victim.sent, HasSubstr("ok"));
}

TEST(Http2Server, EndsRapidResetsCalmly) {
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

TEST(Http2Server, LetsAClientCancelAtAHumanPace) {
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
TEST(Http2Server, EndsProvokedResetsCalmly) {
  Victim victim;
  victim.service.at_end = {};
  const int survived = victim.until_goaway(2000, [](int i) {
    return get(odd(i)) + frame(FrameType::WindowUpdate, 0, odd(i), big_endian(0));
  });
  EXPECT_LE(survived, 502);
  EXPECT_TRUE(victim.server->finished());
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

TEST(Http2Server, EndsFloodsOfFramesThatCarryNothing) {
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

TEST(Http2Server, BoundsAnswersThatThePeerDoesNotRead) {
  Victim victim;
  const std::string ping = frame(FrameType::Ping, 0, 0, "12345678");
  for (int i = 0; i < 200; ++i) victim.server->receive(ping, victim.now);
  victim.flush();
  EXPECT_TRUE(victim.server->finished());
  EXPECT_THAT(victim.server->reason()->message, HasSubstr("Flooding"));
}

TEST(Http2Server, EndsAFloodOfContinuations) {
  Victim victim;
  victim.receive(frame(FrameType::Headers, kEndStream, 1, block({{":method", "GET"}})));
  const std::string more = frame(FrameType::Continuation, 0, 1, block({{"a", "b"}}));
  const int survived = victim.until_goaway(10'000, [&](int) { return more; });
  EXPECT_LE(survived, 18);
  EXPECT_TRUE(victim.service.seen.empty());
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

TEST(Http2Server, EndsAConnectionThatBreaksTheProtocol) {
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
  const auto server = make_http2_server({}, service, Instant(1h));
  server->receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n", Instant(1h));
  while (!server->output(Instant(1h)).empty()) server->written(server->output(Instant(1h)).size());
  EXPECT_TRUE(server->finished());
}

TEST(Http2Server, WaitsForSettingsAndHeadsOnlySoLong) {
  Service service;
  const auto silent = make_http2_server({}, service, Instant(0s));
  silent->on_time(Instant(31s));
  EXPECT_TRUE(silent->wants_input());
  silent->on_time(Instant(32s));
  EXPECT_EQ(silent->reason()->code, Code::Timeout);

  Victim victim;
  victim.receive(frame(FrameType::Headers, kEndStream, 1, block({{":method", "GET"}})));
  victim.now += 29s;
  victim.receive(frame(FrameType::Continuation, 0, 1, block({{"a", "b"}})));
  victim.now += 3s;
  victim.server->on_time(victim.now);
  EXPECT_THAT(victim.server->reason()->message, HasSubstr("a head does not arrive"));
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

TEST(Http2Server, AnswersPingsBeforeAWaitingBody) {
  Victim victim;
  auto tap = std::make_shared<Tap::State>();
  tap->endless = 10'000'000;
  victim.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  victim.server->receive(
      settings(4, 1 << 30) + frame(FrameType::WindowUpdate, 0, 0, big_endian(1 << 30)) + get(1),
      victim.now);
  const std::string_view first = victim.server->output(victim.now);
  victim.server->receive(frame(FrameType::Ping, 0, 0, "ping1234"), victim.now);
  victim.server->written(first.size());
  const std::string_view next = victim.server->output(victim.now);
  EXPECT_LT(next.find("ping1234"), 100u);
}

TEST(Http2Server, PingsASilentPeerAndLeavesADeadOne) {
  Victim victim;
  victim.service.at_end = {};
  victim.receive(get(1));
  victim.now += 30s;
  victim.sent.clear();
  victim.server->on_time(victim.now);
  victim.flush();
  EXPECT_EQ(victim.sent.size(), 17u);
  victim.now += 14s;
  victim.server->on_time(victim.now);
  EXPECT_FALSE(victim.server->finished());
  victim.now += 1s;
  victim.server->on_time(victim.now);
  EXPECT_TRUE(victim.server->finished());
  EXPECT_THAT(victim.server->reason()->message, HasSubstr("does not answer a PING"));
  EXPECT_EQ(victim.service.seen[1].closed, StreamEnd::Cancelled);
}

}  // namespace
}  // namespace berth::http
