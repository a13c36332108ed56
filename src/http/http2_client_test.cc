#include "http/http2_client.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/testing/frames.h"
#include "http/testing/loopback.h"

namespace berth::http::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// A client whose peer is a string of bytes.
struct Wire {
  explicit Wire(const ClientOptions& options = {}) : client(make_http2_client(options, now)) {
    flush();
    client->receive(frame(FrameType::Settings, 0, 0, ""), now);
  }

  StreamId get(RequestKind kind = RequestKind::Short) {
    const StreamId id =
        client->start({.head = {.target = "/", .authority = "h"}, .kind = kind}, recorder, now)
            .value();
    flush();
    return id;
  }

  void receive(const std::string& bytes) {
    client->receive(bytes, now);
    flush();
  }

  std::string flush() {
    std::string sent;
    for (std::string_view out; !(out = client->output(now)).empty(); client->written(out.size())) {
      sent += out;
    }
    return sent;
  }

  const Answer& answer(StreamId id) { return recorder.answers[id]; }

  Instant now = Instant(1h);
  std::unique_ptr<ClientSession> client;
  Recorder recorder{*client};
};

TEST(Http2Client, KnowsItsRoomWhenTheServersSettingsAreHere) {
  const Instant now{1h};
  const auto client = make_http2_client({}, now);
  EXPECT_FALSE(client->settled());
  EXPECT_EQ(client->free_streams(), 100u) << "a guess";
  client->receive(settings(3, 250), now);
  EXPECT_TRUE(client->settled());
  EXPECT_EQ(client->free_streams(), 250u);
}

TEST(Http2Client, RefusesALengthAboveTheLimitAtTheHead) {
  const auto headed = [](RequestKind kind) {
    Wire wire({.limits = {.body_bytes = 1000}});
    const StreamId id = wire.get(kind);
    wire.receive(frame(FrameType::Headers, kEndHeaders, static_cast<std::uint32_t>(id),
                       block({{":status", "200"}, {"content-length", "1001"}})));
    return wire.answer(id).head.has_value();
  };
  EXPECT_FALSE(headed(RequestKind::Short));
  EXPECT_TRUE(headed(RequestKind::Watch)) << "no total bounds a watch";
}

TEST(Http2Client, StopsWaitingForSettingsThatDoNotCome) {
  const Instant now{1h};
  const auto client = make_http2_client({.timeouts = {.settings = 2s}}, now);
  EXPECT_EQ(client->next_deadline(), now + 2s);
  client->on_time(now + 2s);
  EXPECT_TRUE(client->settled());
  EXPECT_FALSE(client->finished());
  EXPECT_GT(client->next_deadline(), now + 2s);
}

std::string ok_head(std::uint32_t stream, std::uint8_t flags = kEndHeaders) {
  return frame(FrameType::Headers, flags, stream, block({{":status", "200"}}));
}

std::string goaway(std::uint32_t last, std::uint32_t code) {
  return frame(FrameType::Goaway, 0, 0, big_endian(last) + big_endian(code) + "why");
}

TEST(Http2Client, CarriesManyRequestsAtOnce) {
  Loopback loop({});
  loop.service.at_end = [](ServerSession& session, StreamId id, const Seen& seen) {
    session.respond(id, {}, Body(seen.head.target + std::string(10'000, 'x')));
  };
  std::vector<StreamId> ids;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 100; ++i) ids.push_back(loop.get("/" + std::to_string(ids.size())));
    EXPECT_EQ(loop.client->free_streams(), 0u);
    EXPECT_FALSE(loop.client->start({.head = {.authority = "h"}}, loop.recorder, loop.now).ok());
    loop.run();
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(loop.answer(ids[i]).body.substr(0, 5),
              ("/" + std::to_string(i) + "xxxxx").substr(0, 5));
    EXPECT_EQ(loop.answer(ids[i]).ends, 1);
  }
  EXPECT_LE(loop.output_peak, 90'000u);
}

TEST(Http2Client, FollowsTheLimitThatTheServerSets) {
  Wire wire;
  EXPECT_GE(wire.client->free_streams(), 100u);
  wire.receive(settings(3, 2));  // MAX_CONCURRENT_STREAMS
  EXPECT_EQ(wire.client->free_streams(), 2u);
  const StreamId id = wire.get();
  EXPECT_EQ(wire.client->free_streams(), 1u);
  wire.receive(ok_head(static_cast<std::uint32_t>(id), kEndHeaders | kEndStream));
  EXPECT_EQ(wire.client->free_streams(), 2u);
  wire.receive(settings(3, 0xffffffff));
  EXPECT_EQ(wire.client->free_streams(), ClientOptions().limits.streams);
}

TEST(Http2Client, ASlowStreamDoesNotHoldOthersBack) {
  Loopback loop({});
  std::vector<std::shared_ptr<Tap::State>> taps;
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen& seen) {
    if (seen.head.target == "/short") return session.respond(id, {}, Body(std::string(9999, 'y')));
    taps.push_back(std::make_shared<Tap::State>());
    taps.back()->endless = 100'000'000;
    session.respond(id, {}, Body(std::make_unique<Tap>(taps.back())));
  };
  loop.recorder.holding = true;
  for (int i = 0; i < 40; ++i) loop.get("/slow", RequestKind::Watch);
  loop.run();
  EXPECT_EQ(loop.recorder.held, 40u << 20) << "each stream fills its own window";
  const StreamId id = loop.get("/short");
  loop.run();
  EXPECT_EQ(loop.answer(id).body.size(), 9999u);
  EXPECT_EQ(loop.answer(id).ends, 1);
}

TEST(Http2Client, KnowsWhatTheServerSurelyHasNotProcessed) {
  Wire wire;
  const StreamId first = wire.get();
  const StreamId second = wire.get();
  const StreamId third = wire.get();
  wire.receive(reset(static_cast<std::uint32_t>(second), 7));  // REFUSED_STREAM
  ASSERT_EQ(wire.answer(second).failures.size(), 1u);
  EXPECT_EQ(wire.answer(second).failures[0].processed, Processed::No);
  wire.receive(goaway(static_cast<std::uint32_t>(first), 0));
  ASSERT_EQ(wire.answer(third).failures.size(), 1u);
  EXPECT_EQ(wire.answer(third).failures[0].processed, Processed::No);
  EXPECT_TRUE(wire.answer(first).failures.empty()) << "may still be answered";
  EXPECT_EQ(wire.client->free_streams(), 0u);
  wire.receive(ok_head(static_cast<std::uint32_t>(first), kEndHeaders | kEndStream));
  EXPECT_EQ(wire.answer(first).ends, 1);
  EXPECT_TRUE(wire.client->finished());
}

TEST(Http2Client, TakesAResetInTheMiddleAsPerhapsProcessed) {
  Wire wire;
  const StreamId id = wire.get();
  wire.receive(ok_head(1) + frame(FrameType::Data, 0, 1, "half") + reset(1, 2));
  ASSERT_EQ(wire.answer(id).failures.size(), 1u);
  EXPECT_EQ(wire.answer(id).failures[0].processed, Processed::Perhaps);
  EXPECT_THAT(wire.answer(id).failures[0].error.message, HasSubstr("INTERNAL_ERROR"));
  EXPECT_FALSE(wire.client->finished()) << "the connection goes on";
}

TEST(Http2Client, LosesNoRequestToAServerThatShutsDown) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Loopback loop({});
    loop.random = Random(seed);
    loop.piece_max = 40;
    loop.service.at_end = [](ServerSession& session, StreamId id, const Seen&) {
      session.respond(id, {}, "ok");
    };
    std::set<StreamId> started;
    for (int i = 0; i < 50; ++i) {
      if (i == 20) loop.server->shutdown(loop.now);
      if (loop.client->free_streams() > 0) started.insert(loop.get("/"));
      if (loop.random.chance(0.3)) loop.advance(300ms);
    }
    loop.advance(3s);
    EXPECT_TRUE(loop.server->finished());
    EXPECT_TRUE(loop.client->finished());
    for (const StreamId id : started) {
      const Answer& answer = loop.answer(id);
      const bool answered = answer.ends == 1;
      const bool safe =
          answer.failures.size() == 1 && answer.failures[0].processed == Processed::No;
      EXPECT_TRUE(answered != safe) << "seed " << seed << " stream " << id;
      EXPECT_EQ(answered, loop.service.seen.contains(id));
    }
  }
}

TEST(Http2Client, FailsClearlyOnAHostileServer) {
  struct Case {
    std::string_view what;
    std::string bytes;
    std::string_view reason;
  };
  std::string many;
  for (int i = 0; i < 300; ++i) many += block({{"a", "b"}});
  std::string endless = frame(FrameType::Headers, 0, 1, block({{":status", "200"}}));
  for (int i = 0; i < 20; ++i) endless += frame(FrameType::Continuation, 0, 1, block({{"a", "b"}}));
  const Case cases[] = {
      {"nonsense", "HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/2: "},
      {"many fields", frame(FrameType::Headers, kEndHeaders, 1, block({{":status", "200"}}) + many),
       "too large"},
      {"endless head", endless, "HTTP/2: "},
      {"longer than its length",
       frame(FrameType::Headers, kEndHeaders, 1,
             block({{":status", "200"}, {"content-length", "1"}})) +
           frame(FrameType::Data, 0, 1, "abc"),
       "PROTOCOL_ERROR"},
      {"shorter than its length",
       frame(FrameType::Headers, kEndHeaders, 1,
             block({{":status", "200"}, {"content-length", "9"}})) +
           frame(FrameType::Data, kEndStream, 1, "abc"),
       "PROTOCOL_ERROR"},
      {"body without a head", frame(FrameType::Data, 0, 1, "abc"), "PROTOCOL_ERROR"},
      {"push", frame(FrameType::PushPromise, kEndHeaders, 1, big_endian(2)), "HTTP/2: "},
      {"bad status", frame(FrameType::Headers, kEndHeaders, 1, block({{":status", "abc"}})),
       "PROTOCOL_ERROR"},
      {"goaway", goaway(1, 11), "ENHANCE_YOUR_CALM \"why\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Wire wire;
    const StreamId id = wire.get();
    wire.receive(c.bytes);
    wire.client->receive_end(wire.now);
    ASSERT_EQ(wire.answer(id).failures.size(), 1u);
    EXPECT_THAT(wire.answer(id).failures[0].error.message, HasSubstr(c.reason));
    EXPECT_EQ(wire.answer(id).ends, 0);
  }
}

TEST(Http2Client, SurvivesAServerThatResetsEverything) {
  Wire wire;
  for (int i = 0; i < 2000; ++i) {
    const StreamId id = wire.get();
    wire.receive(reset(static_cast<std::uint32_t>(id), 8));
    EXPECT_EQ(wire.answer(id).failures.size(), 1u);
  }
  EXPECT_EQ(wire.client->open_streams(), 0u);
}

TEST(Http2Client, GivesASilentServerNothingMoreUntilItIsHeard) {
  Wire wire;
  const StreamId first = wire.get();
  const StreamId second = wire.get();
  wire.now += 3s;
  wire.client->give_up(first, wire.now);
  EXPECT_EQ(wire.client->free_streams(), 0u);
  EXPECT_THAT(wire.flush(), HasSubstr(frame(FrameType::Ping, 0, 0, std::string(8, '\0'))));
  wire.receive(frame(FrameType::Ping, kAck, 0, std::string(8, '\0')));
  EXPECT_GT(wire.client->free_streams(), 0u);
  wire.client->give_up(second, wire.now);
  EXPECT_GT(wire.client->free_streams(), 0u) << "it was heard after the request was sent";
}

TEST(Http2Client, LeavesADoubtedServerThatStaysSilent) {
  Wire wire({.timeouts = {.ping_answer = 15s}});
  wire.client->give_up(wire.get(), wire.now);
  wire.flush();
  EXPECT_EQ(wire.client->next_deadline(), wire.now + 15s);
  wire.client->on_time(wire.now + 15s);
  EXPECT_TRUE(wire.client->finished());
}

TEST(Http2Client, EndsAServersFloodOfPings) {
  Wire wire;
  const StreamId id = wire.get();
  for (int i = 0; i < 1100; ++i) wire.receive(frame(FrameType::Ping, 0, 0, "12345678"));
  EXPECT_TRUE(wire.client->finished());
  ASSERT_EQ(wire.answer(id).failures.size(), 1u);
  EXPECT_THAT(wire.answer(id).failures[0].error.message, HasSubstr("too many control frames"));
}

TEST(Http2Client, FindsAHalfOpenConnectionWithinFortyFiveSeconds) {
  Loopback loop({});
  auto tap = std::make_shared<Tap::State>();
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  const StreamId id = loop.get("/watch", RequestKind::Watch);
  loop.advance(5min);
  EXPECT_TRUE(loop.answer(id).failures.empty());
  const auto silent_since = loop.client->next_deadline().value() - 30s;
  loop.cut = true;
  Instant now = loop.now;
  while (!loop.client->finished()) {
    now = loop.client->next_deadline().value();
    loop.client->on_time(now);
    const auto out = loop.client->output(now);
    loop.client->written(out.size());  // The system takes it; nobody gets it.
  }
  EXPECT_LE(now - silent_since, 45s);
  ASSERT_EQ(loop.answer(id).failures.size(), 1u);
  EXPECT_THAT(loop.answer(id).failures[0].error.message, HasSubstr("PING"));
}

TEST(Http2Client, EndsItsConnectionAfterTheLastStreamOfADrain) {
  Loopback loop({});
  StreamId on_server = 0;
  loop.service.at_end = [&](ServerSession&, StreamId id, const Seen&) { on_server = id; };
  const StreamId id = loop.get("/");
  loop.run();
  loop.client->shutdown(loop.now);
  loop.run();
  EXPECT_EQ(loop.client->free_streams(), 0u);
  EXPECT_FALSE(loop.client->finished());
  loop.server->respond(on_server, {}, "done");
  loop.run();
  EXPECT_EQ(loop.answer(id).body, "done");
  EXPECT_TRUE(loop.client->finished());
  EXPECT_TRUE(loop.server->finished());
}

}  // namespace
}  // namespace berth::http::testing
