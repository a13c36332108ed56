// Servers that do not mean well, against the whole client in the simulator: each ends in a clear
// error, in bounded memory and time, and the client is as good as new for the next server.

#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "client/api_service.h"
#include "client/errors.h"
#include "client/testing/live_bytes.h"
#include "client/testing/model_server_service.h"
#include "client/testing/raw_server_service.h"
#include "http/gzip.h"
#include "http/testing/frames.h"
#include "sim/world.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using http::testing::big_endian;
using http::testing::block;
using http::testing::frame;
using http::testing::FrameType;
using http::testing::kEndHeaders;
using http::testing::kEndStream;
using testing::live_bytes;
using testing::model_config;
using testing::model_tls;
using testing::ModelServer;
using testing::ModelStore;
using testing::RawAnswer;
using testing::RawAnswering;
using testing::RawServer;

const ResourcePath kMaps{.resource = {.version = "v1", .resource = "configmaps"}, .ns = "default"};
constexpr std::size_t kMegabyte = 1 << 20;

class Listener final : public WatchListener {
 public:
  void on_opened() override {}
  void on_events(std::vector<WatchEvent> received) override { events += received.size(); }
  void on_closed(const Status& why) override { closed = why; }

  std::size_t events = 0;
  std::optional<Status> closed;
};

// What a request came to, and what it cost.
struct Measured {
  std::optional<Error> error;
  std::size_t peak_bytes = 0;  // The most that was alive beyond what was alive before.
  Duration took{};
};

class HostileWorld {
 public:
  HostileWorld(std::string_view scheme, RawAnswering answering, ApiOptions options = {})
      : scheme_(scheme) {
    world_.add_node("server").start([this, answering](std::span<env::Env> loops) {
      auto started = std::make_shared<RawServer>(loops[0], model_tls(scheme_), answering);
      server = started.get();
      return started;
    });
    world_.add_node("client").start([this, options](std::span<env::Env> loops) {
      auto api = std::make_shared<Api>(loops[0], model_config(scheme_), options);
      api_ = api.get();
      return api;
    });
    world_.run_for(1us);
  }

  Measured list(Duration at_most = 5min) {
    std::optional<Result<json::Value>> answer;
    api_->list(kMaps, {}, [&](Result<json::Value> result) { answer = std::move(result); });
    Measured outcome = measure([&] { return answer.has_value(); }, at_most);
    if (answer && !answer->ok()) outcome.error = answer->error();
    return outcome;
  }

  Measured watch(Duration at_most = 5min) {
    Listener listener;
    const CallId id = api_->watch(kMaps, {}, {.listener = &listener});
    Measured outcome = measure([&] { return listener.closed.has_value(); }, at_most);
    api_->cancel(id);
    if (listener.closed && !listener.closed->ok()) outcome.error = listener.closed->error();
    return outcome;
  }

  // The same client, with a good server in the place of the bad one.
  bool is_usable_afterwards() {
    world_.node("server").crash(sim::Crash::Process);
    server = nullptr;
    world_.node("server").start([this](std::span<env::Env> loops) {
      return std::make_shared<ModelServer>(loops[0], store_,
                                           testing::ModelServerOptions{.tls = model_tls(scheme_)});
    });
    const Measured outcome = list();
    EXPECT_FALSE(outcome.error) << outcome.error->message;
    return !outcome.error && api_->calls() == 0;
  }

  std::size_t connections() const { return api_->connections(); }

  RawServer* server = nullptr;

 private:
  Measured measure(const std::function<bool()>& over, Duration at_most) {
    const std::size_t before = live_bytes();
    const auto start = world_.now();
    Measured outcome;
    const bool ended = world_.run_until(
        [&] {
          outcome.peak_bytes = std::max(outcome.peak_bytes, live_bytes());
          return over();
        },
        at_most);
    EXPECT_TRUE(ended) << "it never ends";
    outcome.peak_bytes -= std::min(outcome.peak_bytes, before);
    outcome.took = world_.now() - start;
    return outcome;
  }

  sim::World world_{{}};
  ModelStore store_;
  std::string scheme_;
  Api* api_ = nullptr;
};

std::string h2_head(std::uint32_t stream, http::testing::Pairs fields) {
  return frame(FrameType::Headers, kEndHeaders, stream, block(fields));
}

std::string h1_answer(std::string_view body, std::string_view fields = "") {
  return "HTTP/1.1 200 OK\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// A second attempt is for the good server: the first may go to the connection of the bad one.
ApiOptions twice() { return {.call = {.retry = {.attempts_max = 2}}}; }

// The hostile answer in both protocols.
struct Attack {
  std::string_view scheme;
  RawAnswering answering;
};

void expect_survived(const Attack& attack, std::string_view error, std::size_t bytes_max,
                     ApiOptions options = twice()) {
  SCOPED_TRACE(attack.scheme);
  HostileWorld world(attack.scheme, attack.answering, std::move(options));
  const Measured outcome = world.list();
  ASSERT_TRUE(outcome.error);
  EXPECT_TRUE(outcome.error->message.contains(error)) << outcome.error->message;
  EXPECT_LT(outcome.peak_bytes, bytes_max);
  EXPECT_LE(outcome.took, 90s);
  EXPECT_TRUE(world.is_usable_afterwards());
}

TEST(HostileServer, EndlessHeaders) {
  expect_survived({"http",
                   [](std::uint32_t) {
                     return RawAnswer{.first = "HTTP/1.1 200 OK\r\n",
                                      .endless = "x-" + std::string(100, 'a') + ": b\r\n"};
                   }},
                  "the head is larger than 131072 bytes", 2 * kMegabyte);
  // One field without an end.
  expect_survived({"http",
                   [](std::uint32_t) {
                     return RawAnswer{.first = "HTTP/1.1 200 OK\r\nx: ",
                                      .endless = std::string(1000, 'a')};
                   }},
                  "the head is larger than 131072 bytes", 2 * kMegabyte);
  expect_survived({"https",
                   [](std::uint32_t stream) {
                     return RawAnswer{
                         .first = frame(FrameType::Headers, 0, stream, block({{":status", "200"}})),
                         .endless = frame(FrameType::Continuation, 0, stream,
                                          block({{std::string(100, 'a'), "b"}}))};
                   }},
                  "HTTP/2", 2 * kMegabyte);
}

TEST(HostileServer, AnObjectOfTwoGigabytes) {
  const std::string two_gigabytes = std::to_string(2ull << 30);
  expect_survived({"http",
                   [&](std::uint32_t) {
                     return RawAnswer{.first = "HTTP/1.1 200 OK\r\nContent-Length: " +
                                               two_gigabytes + "\r\n\r\n",
                                      .endless = std::string(10'000, ' ')};
                   }},
                  "too large", kMegabyte, {});
  expect_survived(
      {"https",
       [&](std::uint32_t stream) {
         return RawAnswer{
             .first = h2_head(stream, {{":status", "200"}, {"content-length", two_gigabytes}}),
             .endless = frame(FrameType::Data, 0, stream, std::string(10'000, ' '))};
       }},
      "too large", kMegabyte, {});
}

TEST(HostileServer, AnObjectWithoutEnd) {
  ApiOptions options;  // With retries: what is too large once is not fetched ten times.
  options.http.limits.body_bytes = kMegabyte / 2;
  expect_survived({"http",
                   [](std::uint32_t) {
                     return RawAnswer{
                         .first = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                         .endless = "2710\r\n" + std::string(10'000, ' ') + "\r\n"};
                   }},
                  "too large", 4 * kMegabyte, options);
  expect_survived({"https",
                   [](std::uint32_t stream) {
                     return RawAnswer{
                         .first = h2_head(stream, {{":status", "200"}}),
                         .endless = frame(FrameType::Data, 0, stream, std::string(10'000, ' '))};
                   }},
                  "too large", 4 * kMegabyte, options);
}

TEST(HostileServer, JsonAMillionLevelsDeep) {
  const std::string deep(1'000'000, '[');
  expect_survived({"http", [&](std::uint32_t) { return RawAnswer{.first = h1_answer(deep)}; }},
                  "dee", 20 * kMegabyte);
}

TEST(HostileServer, ALengthThatIsNotTrue) {
  expect_survived({"http",
                   [](std::uint32_t) {
                     return RawAnswer{.first = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}",
                                      .close = true};
                   }},
                  "clos", kMegabyte);
  // Too much: the rest is no answer to anything, and the connection is of no more use.
  HostileWorld more("http", [](std::uint32_t) {
    return RawAnswer{.first = h1_answer("{}") + "{\"surplus\": true}"};
  });
  EXPECT_FALSE(more.list().error);
  EXPECT_TRUE(more.is_usable_afterwards());
  expect_survived({"https",
                   [](std::uint32_t stream) {
                     return RawAnswer{
                         .first = h2_head(stream, {{":status", "200"}, {"content-length", "100"}}) +
                                  frame(FrameType::Data, kEndStream, stream, "{}")};
                   }},
                  "HTTP/2", kMegabyte);
}

TEST(HostileServer, EveryStreamIsReset) {
  for (const std::uint32_t code : {0u, 1u, 7u, 8u, 11u}) {
    HostileWorld world("https", [code](std::uint32_t stream) {
      return RawAnswer{.first = http::testing::reset(stream, code)};
    });
    const Measured outcome = world.list();
    ASSERT_TRUE(outcome.error);
    EXPECT_TRUE(network_failure(*outcome.error)) << outcome.error->message;
    EXPECT_LE(world.server->requests(), 10u) << "no storm of retries";
    EXPECT_LT(outcome.peak_bytes, 2 * kMegabyte);
    EXPECT_TRUE(world.is_usable_afterwards());
  }
}

TEST(HostileServer, EveryConnectionIsToldToGoAway) {
  for (const std::uint32_t last : {0u, 1u, 0x7fffffffu}) {
    HostileWorld world("https", [last](std::uint32_t) {
      return RawAnswer{.first = frame(FrameType::Goaway, 0, 0, big_endian(last) + big_endian(11)),
                       .close = true};
    });
    const Measured outcome = world.list();
    ASSERT_TRUE(outcome.error);
    EXPECT_TRUE(network_failure(*outcome.error)) << outcome.error->message;
    EXPECT_LE(world.server->connections(), 10u) << "no storm of connections";
    EXPECT_LE(world.connections(), 1u);
    EXPECT_LT(outcome.peak_bytes, 2 * kMegabyte);
    EXPECT_TRUE(world.is_usable_afterwards());
  }
}

TEST(HostileServer, AStormOfPings) {
  expect_survived({"https",
                   [](std::uint32_t) {
                     return RawAnswer{.endless = frame(FrameType::Ping, 0, 0, "12345678")};
                   }},
                  "Flooding was detected", 2 * kMegabyte);
}

TEST(HostileServer, AGzipBomb) {
  const std::string bomb = http::gzip(std::string(100 * kMegabyte, '0'), 9);
  ASSERT_LT(bomb.size(), kMegabyte / 4);
  expect_survived({"http",
                   [&](std::uint32_t) {
                     return RawAnswer{.first = h1_answer(bomb, "Content-Encoding: gzip\r\n")};
                   }},
                  "gzip: the text is more than", 192 * kMegabyte);
}

TEST(HostileServer, AWatchLineWithoutEnd) {
  HostileWorld world("http", [](std::uint32_t) {
    return RawAnswer{.first =
                         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11\r\n"
                         "{\"type\": \"ADDED\",\r\n",
                     .endless = "2710\r\n" + std::string(10'000, ' ') + "\r\n"};
  });
  const Measured outcome = world.watch();
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->message, "an event of the watch exceeds 33554432 bytes");
  EXPECT_LT(outcome.peak_bytes, 4 * WatchDecoder::kEventBytesMax);
  EXPECT_TRUE(world.is_usable_afterwards());
}

TEST(HostileServer, TheRefusalOfAWatchWithoutEnd) {
  HostileWorld world("http", [](std::uint32_t) {
    return RawAnswer{.first = "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n",
                     .endless = "2710\r\n" + std::string(10'000, ' ') + "\r\n"};
  });
  const Measured outcome = world.watch();
  ASSERT_TRUE(outcome.error);
  EXPECT_EQ(outcome.error->message, "the refusal of a watch is too large");
  EXPECT_LT(outcome.peak_bytes, 16 * kMegabyte);
  EXPECT_TRUE(world.is_usable_afterwards());
}

TEST(HostileServer, OneByteEachSecond) {
  const std::string answer = h1_answer(std::string(100'000, ' '));
  expect_survived(
      {"http", [&](std::uint32_t) { return RawAnswer{.endless = answer, .pause = 1s}; }}, "",
      kMegabyte);
  // The head is there at once, the body drips.
  expect_survived({"http",
                   [&](std::uint32_t) {
                     return RawAnswer{.first = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n",
                                      .endless = "{",
                                      .pause = 1s};
                   }},
                  "no answer within 60000 ms", kMegabyte);
  expect_survived({"https",
                   [](std::uint32_t stream) {
                     return RawAnswer{.first = h2_head(stream, {{":status", "200"}}),
                                      .endless = frame(FrameType::Data, 0, stream, "{"),
                                      .pause = 1s};
                   }},
                  "no answer within 60000 ms", kMegabyte);
}

}  // namespace
}  // namespace berth::client
