#include "http/http1_server.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/testing/loopback.h"

namespace berth::http {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::Seen;
using testing::Service;
using ::testing::StartsWith;
using testing::Tap;

// A server whose peer is a string of bytes.
struct Wire {
  explicit Wire(const ServerOptions& options = {})
      : server(make_http1_server(options, service, now)) {
    service.session = server.get();
    service.at_end = [](ServerSession& session, StreamId id, const Seen& seen) {
      session.respond(id, {}, Body(seen.head.target + seen.body + ";"));
    };
  }

  std::string send(std::string_view bytes) {
    server->receive(bytes, now);
    return flush();
  }

  std::string flush() {
    std::string sent;
    for (std::string_view out; !(out = server->output(now)).empty(); server->written(out.size())) {
      sent += out;
    }
    return sent;
  }

  Instant now = Instant(1h);
  Service service;
  std::unique_ptr<ServerSession> server;
};

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

TEST(Http1Server, KeepsTheConnectionForTheNextRequest) {
  Wire wire;
  const std::string answer = "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n/a;";
  EXPECT_EQ(wire.send(kGet), answer);
  EXPECT_EQ(wire.send(kGet), answer);
  EXPECT_FALSE(wire.server->finished());
}

TEST(Http1Server, AnswersRequestsSentAheadInTheirOrder) {
  Wire wire;
  StreamId first = 0;
  wire.service.at_end = [&](ServerSession& session, StreamId id, const Seen& seen) {
    if (first == 0) {
      first = id;
    } else {
      session.respond(id, {}, Body(seen.head.target));
    }
  };
  EXPECT_EQ(wire.send(std::string(kGet) + "GET /b HTTP/1.1\r\nHost: h\r\n\r\n" +
                      "POST /c HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx"),
            "");
  EXPECT_EQ(wire.service.seen.size(), 1u) << "one at a time";
  EXPECT_FALSE(wire.server->wants_input()) << "enough is waiting";
  wire.server->respond(first, {}, "first");
  const std::string sent = wire.flush();
  EXPECT_LT(sent.find("first"), sent.find("/b"));
  EXPECT_LT(sent.find("/b"), sent.find("/c"));
  EXPECT_EQ(wire.service.seen.size(), 3u);
  EXPECT_TRUE(wire.server->wants_input());
}

TEST(Http1Server, AnswersManyRequestsSentAheadWithinItsOutputBound) {
  Wire wire;
  wire.service.at_end = [](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::string(50'000, 'x')));
  };
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += kGet;
  wire.server->receive(requests, wire.now);
  std::size_t peak = 0;
  for (std::string_view out; !(out = wire.server->output(wire.now)).empty();) {
    peak = std::max(peak, out.size());
    wire.server->written(out.size());
  }
  EXPECT_EQ(wire.service.seen.size(), 100u);
  EXPECT_LT(peak, 150'000u);
}

TEST(Http1Server, RefusesWhatItCannotReadAndCloses) {
  Wire wire;
  const std::string answer = wire.send("GET / HTTP/1.1\r\nHost: h\r\nA : b\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_THAT(answer, HasSubstr("connection: close\r\n"));
  EXPECT_THAT(answer, HasSubstr("a name and ':'"));
  EXPECT_TRUE(wire.service.seen.empty());
  EXPECT_EQ(wire.send(kGet), "") << "what follows is not trusted";
  EXPECT_TRUE(wire.service.seen.empty());
  EXPECT_FALSE(wire.server->finished()) << "lingers so that the peer can read the answer";
  wire.now += 1s;
  wire.server->on_time(wire.now);
  EXPECT_TRUE(wire.server->finished());
}

TEST(Http1Server, DoesNotFallForSmuggledRequests) {
  for (const std::string_view trick : {
           "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd",
           "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
           "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
           "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
       }) {
    Wire wire;
    const std::string answer = wire.send("POST / HTTP/1.1\r\nHost: h\r\n" + std::string(trick) +
                                         "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400 ")) << trick;
    EXPECT_TRUE(wire.service.seen.empty());
  }
}

TEST(Http1Server, RefusesAnEndlessHead) {
  Wire wire;
  std::string answer = wire.send("GET / HTTP/1.1\r\n");
  int lines = 0;
  for (; answer.empty() && lines < 100'000; ++lines) answer = wire.send("a: b\r\n");
  EXPECT_LT(lines, 25'000);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 431 "));
  EXPECT_EQ(wire.server->reason()->code, Code::RequestEntityTooLarge);
}

TEST(Http1Server, ClosesWhenAsked) {
  Wire wire;
  EXPECT_THAT(wire.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"),
              HasSubstr("connection: close\r\n"));
  EXPECT_TRUE(wire.server->finished());
}

TEST(Http1Server, AnswersHttp10WithoutChunks) {
  Wire wire;
  auto tap = std::make_shared<Tap::State>();
  tap->pending = "text";
  tap->ended = true;
  wire.service.at_end = [&](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {}, Body(std::make_unique<Tap>(tap)));
  };
  EXPECT_EQ(wire.send("GET / HTTP/1.0\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\ntext");
  EXPECT_TRUE(wire.server->finished());
}

TEST(Http1Server, GrantsNoUpgradeAndTrustsNothingAfterwards) {
  Wire wire;
  const std::string answer = wire.send(
      "GET /exec HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nframes");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("connection: close\r\n"));
  EXPECT_EQ(wire.service.seen.size(), 1u);
  EXPECT_TRUE(wire.server->finished());
}

TEST(Http1Server, InvitesABodyThatWaitsToBeInvited) {
  Wire wire;
  const std::string head =
      "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n";
  EXPECT_EQ(wire.send(head), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_THAT(wire.send("x"), HasSubstr("/px;"));
  wire.service.at_head = [](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {.status = 403}, {});
  };
  EXPECT_THAT(wire.send(head), StartsWith("HTTP/1.1 403 Forbidden\r\n"));
}

TEST(Http1Server, TakesABodyInChunks) {
  Wire wire;
  EXPECT_THAT(wire.send("POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"),
              HasSubstr("/pabc;"));
  EXPECT_FALSE(wire.server->finished());
}

TEST(Http1Server, TellsTheHandlerOfABrokenBody) {
  Wire wire;
  const std::string answer =
      wire.send("POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nnonsense");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 400 "));
  EXPECT_FALSE(wire.service.seen[1].ended);
  EXPECT_EQ(wire.service.seen[1].closed, StreamEnd::Answered);
}

TEST(Http1Server, DoesNotWaitForeverForAHead) {
  Wire silent;
  silent.now += 31s;
  silent.server->on_time(silent.now);
  EXPECT_FALSE(silent.server->finished());
  silent.now += 1s;
  silent.server->on_time(silent.now);
  EXPECT_TRUE(silent.server->finished());
  EXPECT_EQ(silent.flush(), "");

  Wire slow;
  slow.send(kGet);
  slow.now += 60s;
  for (int i = 0; i < 31; ++i) {  // One byte a second does not buy more time.
    slow.send("G");
    slow.now += 1s;
    slow.server->on_time(slow.now);
  }
  EXPECT_EQ(slow.flush(), "");
  slow.now += 1s;
  slow.server->on_time(slow.now);
  EXPECT_THAT(slow.flush(), StartsWith("HTTP/1.1 408 "));
}

TEST(Http1Server, LetsAClientThatHasClosedItsSideReadAWholeAnswer) {
  Wire wire;
  wire.server->receive(kGet, wire.now);
  wire.server->receive_end(wire.now);
  EXPECT_THAT(wire.flush(), HasSubstr("/a;"));
  EXPECT_TRUE(wire.server->finished());
  EXPECT_EQ(wire.service.seen[1].closed, StreamEnd::Answered);
}

TEST(Http1Server, ReadsOnForAWhileAfterAnEarlyAnswer) {
  Wire wire;
  wire.service.at_head = [](ServerSession& session, StreamId id, const Seen&) {
    session.respond(id, {.status = 401}, "who are you");
  };
  EXPECT_THAT(wire.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\n"),
              HasSubstr("connection: close"));
  EXPECT_FALSE(wire.server->finished());
  wire.send(std::string(100'000, 'x'));
  EXPECT_FALSE(wire.server->finished());
  wire.send(std::string(200'000, 'x'));
  EXPECT_TRUE(wire.server->finished()) << "but not for ever";
}

}  // namespace
}  // namespace berth::http
