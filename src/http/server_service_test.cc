#include "http/server_service.h"

#include <gtest/gtest.h>

#include "http/testing/served_world.h"

namespace berth::http {
namespace {

using namespace std::chrono_literals;
using testing::ServerTest;
using testing::Tap;
using testing::WebClient;

INSTANTIATE_TEST_SUITE_P(Ways, ServerTest, ::testing::ValuesIn(testing::kWays));

TEST_P(ServerTest, HandsAWholeRequestToTheHandlerAndItsAnswerToTheClient) {
  serve();
  WebClient& client = connect();
  const auto answer = wait(client, client.post("/echo?a=b", std::string(300'000, 'y')));
  ASSERT_TRUE(answer.head);
  EXPECT_EQ(answer.head->status, 200);
  EXPECT_EQ(answer.head->headers.find("date"),
            format_date(world_.node("server").process()->loops()[0].clock.now()));
  EXPECT_EQ(answer.body, "echo " + std::string(300'000, 'y'));
  ASSERT_EQ(handler_.seen.size(), 1u);
  EXPECT_EQ(handler_.seen[0].head.method, Method::Post);
  EXPECT_EQ(handler_.seen[0].peer->protocol,
            GetParam().tls ? alpn_name(GetParam().protocol) : std::string_view());
  EXPECT_EQ(handler_.closed["/echo?a=b"], std::vector{StreamEnd::Answered});
  EXPECT_EQ(server().requests(), 0u);
}

TEST_P(ServerTest, KeepsAConnectionForManyRequests) {
  serve();
  WebClient& client = connect();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(wait(client, client.get("/")).body, "echo ");
  EXPECT_EQ(server().connections(), 1u);
}

TEST_P(ServerTest, AnAnswerMayComeLater) {
  serve();
  WebClient& client = connect();
  const StreamId id = client.get("/later");
  world_.run_for(20s);
  EXPECT_FALSE(client.answer(id).head);
  EXPECT_EQ(server().requests(), 1u);
  handler_.kept[0].send({.status = 202}, "now");
  EXPECT_EQ(server().requests(), 0u);
  EXPECT_EQ(wait(client, id).body, "now");
}

TEST_P(ServerTest, TellsTheHandlerThatTheClientWentAway) {
  serve();
  WebClient& client = connect();
  const StreamId id = client.get("/later");
  world_.run_for(1s);
  EXPECT_TRUE(handler_.kept[0].is_wanted());
  client.cancel(id);
  world_.run_for(1s);
  EXPECT_EQ(handler_.closed["/later"], std::vector{StreamEnd::Cancelled});
  EXPECT_FALSE(handler_.kept[0].is_wanted());
  EXPECT_EQ(server().requests(), 0u);
  handler_.kept[0].send({}, "too late");
  world_.run_for(1s);
}

TEST_P(ServerTest, TellsTheHandlerThatTheConnectionBroke) {
  serve();
  WebClient& client = connect();
  client.get("/later");
  world_.run_for(1s);
  client.hang_up();
  world_.run_for(1s);
  EXPECT_EQ(handler_.closed["/later"], std::vector{StreamEnd::Cancelled});
  EXPECT_EQ(server().connections(), 0u);
  handler_.kept.clear();
}

TEST_P(ServerTest, AForgottenAnswerIsAnErrorToTheClient) {
  serve();
  WebClient& client = connect();
  EXPECT_EQ(wait(client, client.get("/dropped")).head->status, 500);
}

TEST_P(ServerTest, AStreamFlowsWhenItsSourceHasNews) {
  serve();
  WebClient& client = connect();
  const StreamId id = client.get("/tap");
  world_.run_for(1h);  // Watches may be silent.
  EXPECT_TRUE(client.answer(id).head);
  EXPECT_EQ(server().requests(), 0u) << "a stream that flows does not wait for its answer";
  for (const std::string word : {"one", "two"}) {
    handler_.tap->pending = word;
    (*handler_.waker)();
    world_.run_for(1s);
  }
  EXPECT_EQ(client.answer(id).body, "onetwo");
  EXPECT_EQ(client.answer(id).ends, 0);
  handler_.tap->ended = true;
  (*handler_.waker)();
  EXPECT_EQ(wait(client, id).ends, 1);
  EXPECT_TRUE(handler_.tap->destroyed);
  (*handler_.waker)();
}

TEST_P(ServerTest, AStreamIsProducedAtTheClientsPace) {
  serve();
  WebClient& client = connect();
  client.recorder->holding = true;
  handler_.tap->endless = 64 << 20;
  client.get("/tap");
  world_.run_for(30s);
  const std::size_t produced = handler_.tap->produced;
  EXPECT_GT(produced, 64u << 10);
  EXPECT_LT(produced, 20u << 20);  // Windows and queues of both sides.
  world_.run_for(20s);
  EXPECT_EQ(handler_.tap->produced, produced);
}

TEST_P(ServerTest, AnAnswerAtTheHeadSparesTheBody) {
  serve();
  WebClient& client = connect();
  const auto answer = wait(client, client.post("/forbidden", std::string(2'000'000, 'y')));
  ASSERT_TRUE(answer.head);
  EXPECT_EQ(answer.head->status, 403);
  EXPECT_TRUE(handler_.seen.empty());
}

TEST_P(ServerTest, ASinkTakesTheBodyAtItsOwnPace) {
  serve();
  WebClient& client = connect();
  handler_.sink.holding = true;
  const StreamId id = client.post("/sink", std::string(2'000'000, 'y'));
  world_.run_for(10s);
  EXPECT_EQ(handler_.sink.body.size(), Limits{}.stream_window);
  handler_.sink.holding = false;
  handler_.sink.answer.release(handler_.sink.held);
  EXPECT_EQ(wait(client, id).body, "streamed");
  EXPECT_EQ(handler_.sink.body.size(), 2'000'000u);
  EXPECT_TRUE(handler_.sink.destroyed);
}

TEST_P(ServerTest, ASinkHearsThatTheBodyDoesNotComeAndDiesWithItsStream) {
  serve();
  WebClient& client = connect();
  const auto tap = std::make_shared<Tap::State>(Tap::State{.pending = "begun"});
  client.post("/sink", Body(std::make_unique<Tap>(tap)));
  world_.run_for(50s);
  EXPECT_FALSE(handler_.sink.broken);
  world_.run_for(20s);
  ASSERT_TRUE(handler_.sink.broken);
  EXPECT_EQ(handler_.sink.broken->code, Code::Timeout);
  world_.run_for(10s);
  EXPECT_TRUE(handler_.sink.destroyed);
}

}  // namespace
}  // namespace berth::http
