#include "http/http2_connection.h"

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

TEST(Http2Connection, BoundsAnswersThatThePeerDoesNotRead) {
  Victim victim;
  const std::string ping = frame(FrameType::Ping, 0, 0, "12345678");
  for (int i = 0; i < 200; ++i) victim.server->receive(ping, victim.now);
  victim.flush();
  EXPECT_TRUE(victim.server->finished());
  EXPECT_THAT(victim.server->reason()->message, HasSubstr("Flooding"));
}

TEST(Http2Connection, WaitsForSettingsAndHeadsOnlySoLong) {
  Service service;
  const auto silent = make_server_session(Protocol::Http2, {}, service, Instant(0s));
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

TEST(Http2Connection, AnswersPingsBeforeAWaitingBody) {
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

TEST(Http2Connection, PingsASilentPeerAndLeavesADeadOne) {
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

TEST(Http2Connection, AnnouncesItsEndBeforeItStopsListening) {
  Victim victim;
  victim.service.at_end = {};
  victim.receive(get(1));
  victim.sent.clear();
  victim.server->shutdown(victim.now);
  victim.flush();
  EXPECT_THAT(victim.sent, HasSubstr("\x7f\xff\xff\xff")) << "the notice names no stream";
  victim.receive(get(3));
  EXPECT_TRUE(victim.service.seen.contains(3)) << "it was on its way";
  victim.sent.clear();
  victim.receive(frame(FrameType::Ping, kAck, 0, std::string(8, '\0')));
  EXPECT_THAT(victim.sent, HasSubstr(big_endian(3) + big_endian(0)));
  victim.receive(get(5));
  EXPECT_FALSE(victim.service.seen.contains(5));
  victim.server->respond(1, {}, "one");
  victim.server->respond(3, {}, "three");
  victim.flush();
  EXPECT_TRUE(victim.server->finished());
  EXPECT_EQ(victim.server->reason(), std::nullopt);
}

TEST(Http2Connection, DoesNotWaitForAPeerThatIgnoresTheNotice) {
  Victim victim;
  victim.server->shutdown(victim.now);
  victim.flush();
  EXPECT_FALSE(victim.server->finished());
  victim.now += 1s;
  victim.server->on_time(victim.now);
  victim.flush();
  EXPECT_TRUE(victim.server->finished());
}

}  // namespace
}  // namespace berth::http
