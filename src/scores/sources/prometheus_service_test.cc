#include "scores/sources/prometheus_service.h"

#include <memory>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/testing/raw_server_service.h"
#include "http/gzip.h"
#include "sim/world.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using client::testing::RawAnswer;
using ::testing::HasSubstr;

class AskingPrometheus : public ::testing::Test {
 protected:
  AskingPrometheus() : world_(sim::WorldOptions{}) {}

  void serve(RawAnswer answer) {
    world_.add_node("server").start([answer](std::span<env::Env> loops) {
      return std::make_shared<client::testing::RawServer>(
          loops[0], std::nullopt, [answer](std::uint32_t) { return answer; });
    });
  }

  // What a query gets within a minute; absent: not even an error.
  std::optional<Result<HttpAnswer>> ask() {
    std::optional<Result<HttpAnswer>> got;
    world_.add_node("berth").start([&got](std::span<env::Env> loops) {
      std::shared_ptr<PrometheusClient> client =
          PrometheusClient::make(loops[0], {.url = "http://server:6443", .timeout = 10s}, {})
              .value();
      client->query({{"query", "up"}},
                    [&got](Result<HttpAnswer> answer) { got = std::move(answer); });
      return client;
    });
    world_.run_for(1min);
    return got;
  }

  std::string complaint() {
    const auto got = ask();
    if (!got) return "nothing";
    return got->ok() ? "fine" : got->error().message;
  }

  sim::World world_;
};

TEST_F(AskingPrometheus, TakesAnyStatusForAnAnswer) {
  serve({.first = "HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nwait"});
  const auto got = ask();
  ASSERT_TRUE(got && got->ok());
  EXPECT_EQ((*got)->status, 429);
  EXPECT_EQ((*got)->retry_after, 7s);
  EXPECT_EQ((*got)->body, "wait");
}

TEST_F(AskingPrometheus, DoesNotFollowRedirects) {
  serve({.first = "HTTP/1.1 302 Found\r\nLocation: http://evil/\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_THAT(complaint(), HasSubstr("the server redirects"));
}

TEST_F(AskingPrometheus, ReadsCompressedAnswers) {
  const std::string body = http::gzip("compressed");
  serve({.first = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " +
                  std::to_string(body.size()) + "\r\n\r\n" + body});
  const auto got = ask();
  ASSERT_TRUE(got && got->ok());
  EXPECT_EQ((*got)->body, "compressed");
}

TEST_F(AskingPrometheus, RefusesWhatIsNotGzipAlthoughItSaysSo) {
  serve({.first = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"});
  EXPECT_THAT(complaint(), HasSubstr("gzip"));
}

TEST_F(AskingPrometheus, GivesUpOnSilence) {
  serve({.first = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"});
  EXPECT_EQ(complaint(), "no answer within 10 s");
}

TEST_F(AskingPrometheus, GivesUpOnAnAnswerWithoutEnd) {
  serve({.first = "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n",
         .endless = std::string(60'000, 'x')});
  EXPECT_NE(complaint(), "fine");
}

TEST_F(AskingPrometheus, SaysThatAConnectionWasCut) {
  serve({.first = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", .close = true});
  const std::string text = complaint();
  EXPECT_NE(text, "fine");
  EXPECT_NE(text, "nothing");
}

TEST_F(AskingPrometheus, SaysThatNobodyIsThere) {
  world_.add_node("server");
  const std::string text = complaint();
  EXPECT_NE(text, "fine");
  EXPECT_NE(text, "nothing");
}

TEST(PrometheusClients, RefuseUrlsThatCannotBeUsed) {
  sim::World world({});
  world.add_node("berth").start([](std::span<env::Env> loops) {
    EXPECT_FALSE(PrometheusClient::make(loops[0], {.url = "http://h:99999"}, {}).ok());
    return std::make_shared<int>(0);
  });
  world.run_for(1s);
}

}  // namespace
}  // namespace berth::scores
