#include "http/http1_client.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/testing/loopback.h"

namespace berth::http {
namespace {

using namespace std::chrono_literals;
using testing::Answer;
using ::testing::HasSubstr;
using testing::Recorder;

// A client whose peer is a string of bytes.
struct Wire {
  explicit Wire(const ClientOptions& options = {}) : client(make_http1_client(options, now)) {}

  StreamId get(Method method = Method::Get) {
    const StreamId id =
        client->start({.head = {.method = method, .target = "/", .authority = "h"}}, recorder, now)
            .value();
    flush();
    return id;
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

TEST(Http1Client, TakesOneRequestAtATime) {
  Wire wire;
  EXPECT_EQ(wire.client->free_streams(), 1u);
  const StreamId id = wire.get();
  EXPECT_EQ(wire.client->free_streams(), 0u);
  wire.client->receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", wire.now);
  EXPECT_EQ(wire.answer(id).body, "ok");
  EXPECT_EQ(wire.client->free_streams(), 1u);
}

TEST(Http1Client, ReadsABodyThatEndsWithTheConnection) {
  Wire wire;
  const StreamId id = wire.get();
  wire.client->receive("HTTP/1.1 200 OK\r\n\r\npart", wire.now);
  EXPECT_EQ(wire.answer(id).ends, 0);
  wire.client->receive_end(wire.now);
  EXPECT_EQ(wire.answer(id).body, "part");
  EXPECT_EQ(wire.answer(id).ends, 1);
  EXPECT_TRUE(wire.client->finished());
}

TEST(Http1Client, DeliversWhatWaitsForCreditBeforeTheEnd) {
  ClientOptions options;
  options.limits.stream_window = 4;
  Wire wire(options);
  wire.recorder.holding = true;
  const StreamId id = wire.get();
  wire.client->receive("HTTP/1.1 200 OK\r\n\r\n12345678", wire.now);
  EXPECT_EQ(wire.answer(id).body, "1234");
  EXPECT_FALSE(wire.client->wants_input());
  wire.client->receive_end(wire.now);
  wire.recorder.release(id, 4);
  wire.flush();
  EXPECT_EQ(wire.answer(id).body, "12345678");
  EXPECT_EQ(wire.answer(id).ends, 1);
}

TEST(Http1Client, SkipsInformationalResponsesWithinReason) {
  Wire wire;
  const StreamId id = wire.get();
  wire.client->receive("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n", wire.now);
  wire.client->receive("HTTP/1.1 204 No Content\r\n\r\n", wire.now);
  EXPECT_EQ(wire.answer(id).head->status, 204);
  EXPECT_EQ(wire.answer(id).ends, 1);
  const StreamId endless = wire.get();
  for (int i = 0; i < 20; ++i) wire.client->receive("HTTP/1.1 100 Continue\r\n\r\n", wire.now);
  ASSERT_EQ(wire.answer(endless).failures.size(), 1u);
  EXPECT_THAT(wire.answer(endless).failures[0].error.message, HasSubstr("too many 1xx"));
}

TEST(Http1Client, FailsClearlyOnAHostileServer) {
  struct Case {
    std::string_view what;
    std::string bytes;
    std::string_view reason;
  };
  std::string many_fields = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 300; ++i) many_fields += "a: b\r\n";
  const Case cases[] = {
      {"nonsense", "SSH-2.0-OpenSSH\r\n\r\n", "version HTTP/1.1"},
      {"bare line feeds", "HTTP/1.1 200 OK\n\n", "CR and LF"},
      {"endless head", "HTTP/1.1 200 OK\r\na: " + std::string(200'000, 'x'), "larger than 131072"},
      {"many fields", many_fields + "\r\n", "more than 256"},
      {"two gigabytes", "HTTP/1.1 200 OK\r\nContent-Length: 2147483648\r\n\r\nx", "limit is"},
      {"negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "one content-length"},
      {"both framings",
       "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "both"},
      {"upgrade", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "switches protocols"},
      {"broken chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
       "hexadecimal"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Wire wire;
    const StreamId id = wire.get();
    wire.client->receive(c.bytes, wire.now);
    ASSERT_EQ(wire.answer(id).failures.size(), 1u);
    EXPECT_THAT(wire.answer(id).failures[0].error.message, HasSubstr(c.reason));
    EXPECT_TRUE(wire.client->finished());
    EXPECT_EQ(wire.answer(id).ends, 0);
  }
}

TEST(Http1Client, DoesNotTrustBytesThatNobodyAskedFor) {
  Wire wire;
  const StreamId id = wire.get();
  wire.client->receive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n", wire.now);
  EXPECT_EQ(wire.answer(id).ends, 1);
  EXPECT_TRUE(wire.client->finished());
  EXPECT_THAT(wire.client->reason()->message, HasSubstr("answer no request"));
}

TEST(Http1Client, FailsWhenTheConnectionEndsTooEarly) {
  for (const std::string_view bytes :
       {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"}) {
    SCOPED_TRACE(bytes);
    Wire wire;
    const StreamId id = wire.get();
    wire.client->receive(bytes, wire.now);
    wire.client->receive_end(wire.now);
    ASSERT_EQ(wire.answer(id).failures.size(), 1u);
    EXPECT_EQ(wire.answer(id).failures[0].processed, Processed::Perhaps);
    EXPECT_EQ(wire.answer(id).failures[0].error.code, Code::ServiceUnavailable);
  }
}

TEST(Http1Client, ClosesQuietlyWhenAnIdleConnectionEnds) {
  Wire wire;
  wire.client->receive_end(wire.now);
  EXPECT_TRUE(wire.client->finished());
  EXPECT_EQ(wire.client->reason(), std::nullopt);
}

TEST(Http1Client, DoesNotReuseAConnectionThatTheServerCloses) {
  Wire wire;
  const StreamId id = wire.get();
  wire.client->receive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                       wire.now);
  EXPECT_EQ(wire.answer(id).ends, 1);
  EXPECT_EQ(wire.client->free_streams(), 0u);
  EXPECT_TRUE(wire.client->finished());
}

TEST(Http1Client, TellsTheServerWhetherABodyFollows) {
  Wire wire;
  wire.client
      ->start({.head = {.method = Method::Post, .target = "/", .authority = "h"}}, wire.recorder,
              wire.now)
      .value();
  EXPECT_THAT(wire.flush(), HasSubstr("content-length: 0\r\n"));
}

}  // namespace
}  // namespace berth::http
