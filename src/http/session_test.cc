#include "http/session.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "http/testing/loopback.h"

namespace berth::http {
namespace {

using namespace std::chrono_literals;
using testing::Answer;
using ::testing::HasSubstr;
using testing::Loopback;
using testing::LoopbackOptions;
using testing::Seen;
using testing::Tap;

// What holds for both protocols.
class BothProtocols : public ::testing::TestWithParam<Protocol> {
 protected:
  LoopbackOptions options() const { return {.protocol = GetParam()}; }
};

INSTANTIATE_TEST_SUITE_P(Session, BothProtocols,
                         ::testing::Values(Protocol::Http1, Protocol::Http2),
                         [](const auto& param) {
                           return param.param == Protocol::Http1 ? "Http1" : "Http2";
                         });

void echo(ServerSession& session, StreamId id, const Seen& seen) {
  ResponseHead head;
  head.headers.add("x-target", seen.head.target);
  head.headers.add("x-method", method_name(seen.head.method));
  session.respond(id, std::move(head), Body(seen.body));
}

std::string long_text(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i * 7 % 26);
  return text;
}

TEST_P(BothProtocols, CarryARequestAndItsResponse) {
  Loopback loop(options());
  loop.service.at_end = echo;
  RequestHead head = {.method = Method::Post, .target = "/api?x=1", .authority = "hub:6443"};
  head.headers.add("accept", "application/json");
  const StreamId id = loop.start({.head = head, .body = "hello"});
  loop.run();
  const Seen& seen = loop.service.seen.begin()->second;
  EXPECT_EQ(seen.head.method, Method::Post);
  EXPECT_EQ(seen.head.target, "/api?x=1");
  EXPECT_EQ(seen.head.authority, "hub:6443");
  EXPECT_EQ(seen.head.headers.find("accept"), "application/json");
  EXPECT_EQ(seen.head.headers.find("content-length"), "5");
  EXPECT_EQ(seen.closed, StreamEnd::Answered);
  const Answer& answer = loop.answer(id);
  ASSERT_TRUE(answer.head);
  EXPECT_EQ(answer.head->status, 200);
  EXPECT_EQ(answer.head->headers.find("x-target"), "/api?x=1");
  EXPECT_EQ(answer.head->headers.find("content-length"), "5");
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.ends, 1);
  EXPECT_TRUE(answer.failures.empty());
  EXPECT_GT(loop.client->free_streams(), 0u);
}

TEST_P(BothProtocols, SendNoBodyToHeadAndWithStatusesThatHaveNone) {
  Loopback loop(options());
  int status = 200;
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {.status = status}, "0123456789");
  };
  const StreamId head =
      loop.start({.head = {.method = Method::Head, .target = "/", .authority = "hub"}});
  loop.run();
  EXPECT_EQ(loop.answer(head).head->headers.find("content-length"), "10");
  EXPECT_EQ(loop.answer(head).body, "");
  EXPECT_EQ(loop.answer(head).ends, 1);
  for (const int bare : {204, 304}) {
    status = bare;
    const StreamId id = loop.get("/");
    loop.run();
    EXPECT_EQ(loop.answer(id).head->status, bare);
    EXPECT_EQ(loop.answer(id).body, "");
    EXPECT_EQ(loop.answer(id).ends, 1);
  }
}

TEST_P(BothProtocols, GiveTheSameMessagesForAnySplitOfTheBytes) {
  EXPECT_TRUE(rc::check([this] {
    Loopback loop(options());
    loop.random = Random(*rc::gen::arbitrary<std::uint64_t>());
    loop.piece_max = *rc::gen::element<std::size_t>(1, 3, 17, 1000, 100'000);
    loop.service.at_end = echo;
    const auto sizes = *rc::gen::container<std::vector<int>>(*rc::gen::inRange<std::size_t>(1, 6),
                                                             rc::gen::inRange(0, 3000));
    std::vector<std::pair<StreamId, std::string>> expected;
    for (const int size : sizes) {
      const std::string body = long_text(static_cast<std::size_t>(size));
      if (loop.client->free_streams() == 0) loop.run();
      expected.emplace_back(loop.post("/n/" + std::to_string(size), Body(body)), body);
    }
    loop.run();
    for (const auto& [id, body] : expected) {
      RC_ASSERT(loop.answer(id).body == body);
      RC_ASSERT(loop.answer(id).ends == 1);
      RC_ASSERT(loop.answer(id).failures.empty());
    }
    RC_ASSERT(loop.service.seen.size() == expected.size());
  }));
}

TEST_P(BothProtocols, StreamAWatchEventByEvent) {
  Loopback loop(options());
  auto tap = std::make_shared<Tap::State>();
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  const StreamId id = loop.get("/watch", RequestKind::Watch);
  loop.run();
  ASSERT_TRUE(loop.answer(id).head) << "the head must not wait for the first event";
  EXPECT_EQ(loop.answer(id).head->headers.find("content-length"), std::nullopt);
  const StreamId on_server = loop.service.seen.begin()->first;
  for (int i = 0; i < 3; ++i) {
    tap->pending += "event\n";
    loop.server->resume(on_server);
    loop.run();
    EXPECT_EQ(loop.answer(id).body.size(), 6u * static_cast<std::size_t>(i + 1));
  }
  loop.advance(10min);
  EXPECT_TRUE(loop.answer(id).failures.empty()) << "silence must not end a watch";
  tap->ended = true;
  loop.server->resume(on_server);
  loop.run();
  EXPECT_EQ(loop.answer(id).ends, 1);
  EXPECT_TRUE(tap->destroyed);
  EXPECT_EQ(loop.service.seen[on_server].closed, StreamEnd::Answered);
}

TEST_P(BothProtocols, HoldTheProducerBackWhenTheConsumerIsSlow) {
  Loopback loop(options());
  auto tap = std::make_shared<Tap::State>();
  tap->endless = 1 << 30;
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  loop.recorder.holding = true;
  const StreamId id = loop.get("/big");
  loop.run();
  const std::size_t first = tap->produced;
  EXPECT_GE(loop.recorder.held, LoopbackOptions().client.limits.stream_window);
  EXPECT_LE(first, LoopbackOptions().client.limits.stream_window + 300'000);
  EXPECT_LE(loop.output_peak, LoopbackOptions().server.limits.output_bytes + 20'000);
  loop.recorder.release(id, loop.recorder.held);
  loop.run();
  EXPECT_GT(tap->produced, first) << "credit lets it go on";
}

TEST_P(BothProtocols, HoldTheClientBackWhenTheServerIsSlow) {
  Loopback loop(options());
  loop.service.holding = true;
  auto tap = std::make_shared<Tap::State>();
  tap->endless = 2 << 20;
  loop.post("/big", Body(std::make_unique<Tap>(tap)));
  loop.run();
  EXPECT_GE(loop.service.held, LoopbackOptions().server.limits.stream_window);
  EXPECT_LE(tap->produced, LoopbackOptions().server.limits.stream_window + 300'000);
}

TEST_P(BothProtocols, RefuseABodyAboveTheLimitWithTheServersOwnAnswer) {
  for (const bool announced : {true, false}) {
    LoopbackOptions small = options();
    small.server.limits.body_bytes = 1000;
    Loopback loop(small);
    auto tap = std::make_shared<Tap::State>();
    tap->pending = std::string(5000, 'x');
    tap->ended = true;
    const StreamId id =
        loop.post("/", announced ? Body(tap->pending) : Body(std::make_unique<Tap>(tap)));
    loop.run();
    ASSERT_TRUE(loop.answer(id).head) << announced;
    EXPECT_EQ(loop.answer(id).head->status, 413);
    EXPECT_THAT(loop.answer(id).body, HasSubstr("limit is 1000"));
    EXPECT_EQ(loop.answer(id).ends, 1);
    const Seen& seen = loop.service.seen.begin()->second;
    EXPECT_FALSE(seen.ended);
    EXPECT_LE(seen.body.size(), 1000u);
    EXPECT_EQ(seen.bad_body.size(), 1u);
    EXPECT_EQ(seen.closed, StreamEnd::Answered);
  }
}

TEST_P(BothProtocols, FailAResponseAboveTheClientsLimit) {
  LoopbackOptions small = options();
  small.client.limits.body_bytes = 100'000;
  Loopback loop(small);
  auto tap = std::make_shared<Tap::State>();
  tap->endless = 2'000'000'000;
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  const StreamId id = loop.get("/two-gigabytes");
  loop.run();
  ASSERT_EQ(loop.answer(id).failures.size(), 1u);
  EXPECT_EQ(loop.answer(id).failures[0].error.code, Code::RequestEntityTooLarge);
  EXPECT_LE(loop.answer(id).body.size(), 100'000u);
  EXPECT_LT(tap->produced, 2'000'000u) << "the server is told to stop";
}

TEST_P(BothProtocols, LetAWatchGoOnForAsLongAsItLikes) {
  LoopbackOptions small = options();
  small.client.limits.body_bytes = 1000;
  Loopback loop(small);
  auto tap = std::make_shared<Tap::State>();
  tap->endless = 100'000;
  tap->ended = true;
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  const StreamId id = loop.get("/watch", RequestKind::Watch);
  loop.run();
  EXPECT_EQ(loop.answer(id).body.size(), 100'000u);
  EXPECT_EQ(loop.answer(id).ends, 1);
}

TEST_P(BothProtocols, RefuseRedirects) {
  Loopback loop(options());
  loop.service.at_end = [](ServerSession& session, StreamId id, const Seen&) {
    ResponseHead head = {.status = 302};
    head.headers.add("location", "https://elsewhere/");
    session.respond(id, std::move(head), {});
  };
  const StreamId id = loop.get("/");
  loop.run();
  ASSERT_EQ(loop.answer(id).failures.size(), 1u);
  EXPECT_THAT(loop.answer(id).failures[0].error.message, HasSubstr("elsewhere"));
  EXPECT_FALSE(loop.answer(id).head);
}

TEST_P(BothProtocols, TellTheServerWhenTheClientCancels) {
  Loopback loop(options());
  auto tap = std::make_shared<Tap::State>();
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  const StreamId id = loop.get("/watch", RequestKind::Watch);
  loop.run();
  loop.client->cancel(id);
  loop.run();
  if (loop.client->finished()) loop.server->receive_end(loop.now);  // HTTP/1.1 closes for that.
  EXPECT_EQ(loop.service.seen.begin()->second.closed, StreamEnd::Cancelled);
  EXPECT_TRUE(tap->destroyed);
  EXPECT_EQ(loop.answer(id).ends, 0);
  EXPECT_TRUE(loop.answer(id).failures.empty());
  EXPECT_EQ(loop.client->open_streams(), 0u);
}

TEST_P(BothProtocols, ShowTheClientThatAnAnswerIsNotComplete) {
  for (const bool by_source : {true, false}) {
    Loopback loop(options());
    auto tap = std::make_shared<Tap::State>();
    tap->pending = "half";
    loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
      session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
    };
    const StreamId id = loop.get("/");
    loop.run();
    const StreamId on_server = loop.service.seen.begin()->first;
    tap->failed = by_source;
    by_source ? loop.server->resume(on_server) : loop.server->reset(on_server);
    loop.run();
    if (loop.server->finished()) loop.client->receive_end(loop.now);
    ASSERT_EQ(loop.answer(id).failures.size(), 1u);
    EXPECT_EQ(loop.answer(id).failures[0].processed, Processed::Perhaps);
    EXPECT_EQ(loop.answer(id).body, "half");
    EXPECT_EQ(loop.answer(id).ends, 0);
    EXPECT_EQ(loop.service.seen[on_server].closed, StreamEnd::Cancelled);
  }
}

TEST_P(BothProtocols, FailEveryRequestWhenTheTransportBreaks) {
  Loopback loop(options());
  const StreamId id = loop.get("/");
  loop.run();
  const Error error = {.code = Code::ServiceUnavailable, .message = "connection reset"};
  loop.client->fail(error, loop.now);
  loop.server->fail(error, loop.now);
  ASSERT_EQ(loop.answer(id).failures.size(), 1u);
  EXPECT_EQ(loop.answer(id).failures[0].error.message, "connection reset");
  EXPECT_EQ(loop.answer(id).failures[0].processed, Processed::Perhaps);
  EXPECT_EQ(loop.service.seen.begin()->second.closed, StreamEnd::Cancelled);
  EXPECT_TRUE(loop.client->finished());
  EXPECT_TRUE(loop.server->finished());
  EXPECT_EQ(loop.client->free_streams(), 0u);
  EXPECT_FALSE(loop.client->start({.head = {.authority = "hub"}}, loop.recorder, loop.now).ok());
}

TEST_P(BothProtocols, KnowThatARequestThatWasNeverWrittenWasNotProcessed) {
  Loopback loop(options());
  const StreamId id = loop.get("/");
  loop.client->fail({.code = Code::ServiceUnavailable, .message = "no route"}, loop.now);
  ASSERT_EQ(loop.answer(id).failures.size(), 1u);
  EXPECT_EQ(loop.answer(id).failures[0].processed, Processed::No);
}

TEST_P(BothProtocols, FinishWhatIsUnderWayBeforeAShutdown) {
  Loopback loop(options());
  StreamId on_server = 0;
  loop.service.at_end = [&](ServerSession&, StreamId id, const Seen&) { on_server = id; };
  const StreamId id = loop.get("/slow");
  loop.run();
  loop.server->shutdown(loop.now);
  loop.advance(2s);
  EXPECT_EQ(loop.client->free_streams(), 0u);
  EXPECT_FALSE(loop.server->finished());
  loop.server->respond(on_server, {}, "done");
  loop.run();
  EXPECT_EQ(loop.answer(id).body, "done");
  EXPECT_EQ(loop.answer(id).ends, 1);
  EXPECT_TRUE(loop.server->finished());
  EXPECT_TRUE(loop.client->finished());
  EXPECT_EQ(loop.server->reason(), std::nullopt);
}

TEST_P(BothProtocols, CutOffWhatDoesNotEndAfterAShutdown) {
  Loopback loop(options());
  loop.get("/never");
  loop.run();
  loop.server->shutdown(loop.now);
  loop.advance(9s);
  EXPECT_EQ(loop.server->open_streams(), 1u);
  loop.advance(1s);
  EXPECT_TRUE(loop.server->finished());
  EXPECT_EQ(loop.service.seen.begin()->second.closed, StreamEnd::Cancelled);
  EXPECT_EQ(loop.server->reason()->code, Code::Timeout);
}

TEST_P(BothProtocols, CloseAnIdleConnection) {
  Loopback loop(options());
  loop.service.at_end = echo;
  loop.get("/");
  loop.run();
  loop.advance(89s);
  EXPECT_FALSE(loop.client->finished());
  loop.advance(1s);
  EXPECT_TRUE(loop.client->finished());
  EXPECT_TRUE(loop.server->finished());
  EXPECT_EQ(loop.client->reason(), std::nullopt);
}

TEST_P(BothProtocols, GiveUpOnAnAnswerThatDoesNotCome) {
  Loopback loop(options());
  const StreamId id = loop.get("/never");
  loop.advance(89s);
  EXPECT_TRUE(loop.answer(id).failures.empty());
  loop.advance(1s);
  ASSERT_EQ(loop.answer(id).failures.size(), 1u);
  EXPECT_EQ(loop.answer(id).failures[0].error.code, Code::Timeout);
  EXPECT_EQ(loop.answer(id).failures[0].processed, Processed::Perhaps);
}

TEST_P(BothProtocols, GiveUpOnAShortAnswerThatDoesNotGoOn) {
  Loopback loop(options());
  auto tap = std::make_shared<Tap::State>();
  tap->pending = "half";
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  const StreamId id = loop.get("/");
  loop.advance(59s);
  EXPECT_TRUE(loop.answer(id).failures.empty());
  loop.advance(1s);
  ASSERT_EQ(loop.answer(id).failures.size(), 1u);
  EXPECT_EQ(loop.answer(id).failures[0].error.code, Code::Timeout);
}

TEST_P(BothProtocols, TellTheHandlerWhenARequestsBodyDoesNotArrive) {
  Loopback loop(options());
  auto tap = std::make_shared<Tap::State>();
  tap->pending = "half";
  const StreamId id = loop.post("/", Body(std::make_unique<Tap>(tap)));
  loop.advance(59s);
  EXPECT_TRUE(loop.service.seen.begin()->second.bad_body.empty());
  loop.advance(1s);
  ASSERT_EQ(loop.service.seen.begin()->second.bad_body.size(), 1u);
  EXPECT_EQ(loop.service.seen.begin()->second.bad_body[0].code, Code::Timeout);
  EXPECT_EQ(loop.answer(id).head->status, 504);
}

TEST_P(BothProtocols, GiveUpOnAPeerThatTakesNothing) {
  Loopback loop(options());
  auto tap = std::make_shared<Tap::State>();
  loop.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  loop.get("/watch", RequestKind::Watch);
  loop.run();
  loop.cut = true;
  tap->endless = 1'000'000'000;
  loop.server->resume(loop.service.seen.begin()->first);
  EXPECT_FALSE(loop.server->output(loop.now).empty());
  loop.now += 61s;
  loop.server->output(loop.now);
  loop.server->on_time(loop.now);
  EXPECT_TRUE(loop.server->finished());
  EXPECT_EQ(loop.server->reason()->code, Code::Timeout);
  EXPECT_EQ(loop.service.seen.begin()->second.closed, StreamEnd::Cancelled);
  EXPECT_LT(tap->produced, 200'000u);
}

TEST_P(BothProtocols, ContinueWhenTheClientWaitsForThat) {
  Loopback loop(options());
  loop.service.at_end = echo;
  RequestHead head = {.method = Method::Put, .target = "/", .authority = "hub"};
  head.headers.add("expect", "100-continue");
  const StreamId id = loop.start({.head = head, .body = "body"});
  loop.run();
  EXPECT_EQ(loop.answer(id).head->status, 200);
  EXPECT_EQ(loop.answer(id).body, "body");
}

TEST_P(BothProtocols, LetAHandlerAnswerBeforeTheBody) {
  Loopback loop(options());
  loop.service.at_head = [](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {.status = 403}, "no");
  };
  const StreamId id = loop.post("/", Body(std::string(2'000'000, 'x')));
  loop.run();
  EXPECT_EQ(loop.answer(id).head->status, 403);
  EXPECT_EQ(loop.answer(id).body, "no");
  EXPECT_EQ(loop.answer(id).ends, 1);
  EXPECT_EQ(loop.service.seen.begin()->second.body, "");
  EXPECT_FALSE(loop.service.seen.begin()->second.ended);
}

TEST_P(BothProtocols, RefuseARequestThatWouldBreakTheWire) {
  Loopback loop(options());
  const auto started =
      loop.client->start({.head = {.target = "/a b", .authority = "hub"}}, loop.recorder, loop.now);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code, Code::BadRequest);
}

TEST(Protocol, IsToldFromTheFirstBytes) {
  EXPECT_EQ(detect_protocol(""), std::nullopt);
  EXPECT_EQ(detect_protocol("PRI * HTTP"), std::nullopt);
  EXPECT_EQ(detect_protocol("P"), std::nullopt);
  EXPECT_EQ(detect_protocol("POST"), Protocol::Http1);
  EXPECT_EQ(detect_protocol("GET"), Protocol::Http1);
  EXPECT_EQ(detect_protocol("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nmore"), Protocol::Http2);
  EXPECT_EQ(alpn_name(Protocol::Http2), "h2");
  EXPECT_EQ(alpn_name(Protocol::Http1), "http/1.1");
}

}  // namespace
}  // namespace berth::http
