// What a server refuses, what it cuts, and what it finishes before it ends.

#include <gtest/gtest.h>

#include "env/scope.h"
#include "http/server_service.h"
#include "http/testing/served_world.h"

namespace berth::http {
namespace {

using namespace std::chrono_literals;
using testing::Tap;
using testing::Way;
using testing::WebClient;

// Sends one request as it is written, and keeps what comes back.
class RawClient final : public env::StreamHandler {
 public:
  RawClient(env::Env& env, std::string request) {
    env.network.connect({.address = {.host = "server", .port = 80}},
                        scope_.guard([this, request = std::move(request)](
                                         Result<std::unique_ptr<env::Stream>> stream) {
                          stream_ = std::move(stream).value();
                          stream_->start(*this);
                          stream_->write(request);
                        }));
  }

  void on_received(std::string_view bytes) override { received += bytes; }
  void on_drained() override {}
  void on_ended() override { over = true; }
  void on_closed(const Status&) override { over = true; }

  std::string received;
  bool over = false;

 private:
  std::unique_ptr<env::Stream> stream_;
  env::Scope scope_;
};

using ServerLimitsTest = testing::ServerTest;
INSTANTIATE_TEST_SUITE_P(Ways, ServerLimitsTest, ::testing::ValuesIn(testing::kWays));

TEST_P(ServerLimitsTest, AClientThatTakesNothingIsCut) {
  serve();
  WebClient& client = connect();
  client.recorder->holding = true;
  handler_.tap->endless = 64 << 20;
  client.get("/tap");
  world_.run_for(5min);
  EXPECT_EQ(handler_.closed["/tap"], std::vector{StreamEnd::Cancelled});
  EXPECT_TRUE(handler_.tap->destroyed);
}

TEST_P(ServerLimitsTest, ABodyThatIsTooLargeIsRefused) {
  serve();
  WebClient& client = connect();
  const auto answer = wait(client, client.post("/echo", std::string(kRequestBodyMax + 1, 'y')));
  ASSERT_TRUE(answer.head);
  EXPECT_EQ(answer.head->status, 413);
  EXPECT_NE(answer.body.find("limit is 3145728"), std::string::npos) << answer.body;
  EXPECT_TRUE(handler_.seen.empty());
}

TEST_P(ServerLimitsTest, TooManyWaitingRequestsAreSentAway) {
  serve({.requests_max = 2});
  WebClient* clients[] = {&connect(), &connect(), &connect()};
  clients[0]->get("/later");
  clients[1]->get("/later");
  world_.run_for(1s);
  const auto refused = wait(*clients[2], clients[2]->get("/"));
  EXPECT_EQ(refused.head->status, 429);
  EXPECT_EQ(refused.head->headers.find("retry-after"), "1");
  handler_.kept.clear();
  world_.run_for(1s);
  EXPECT_EQ(wait(*clients[0], clients[0]->get("/")).head->status, 200);
}

TEST_P(ServerLimitsTest, AllBodiesTogetherAreBounded) {
  serve({.body_bytes_max = 150'000});
  WebClient& first = connect();
  const auto tap = std::make_shared<Tap::State>(Tap::State{.pending = std::string(100'000, 'z')});
  const StreamId held = first.post("/echo", Body(std::make_unique<Tap>(tap)));
  world_.run_for(1s);
  WebClient& second = connect();
  EXPECT_EQ(wait(second, second.post("/echo", std::string(100'000, 'z'))).head->status, 429);
  tap->ended = true;
  first.session->resume(held);
  first.on_drained();
  EXPECT_EQ(wait(first, held).head->status, 200);
  WebClient& third = connect();
  EXPECT_EQ(wait(third, third.post("/echo", std::string(100'000, 'z'))).head->status, 200);
}

TEST_P(ServerLimitsTest, SilentConnectionsAreClosed) {
  serve();
  WebClient& client = connect();
  EXPECT_EQ(server().connections(), 1u);
  world_.run_for(3min);
  EXPECT_EQ(server().connections(), 0u);
  EXPECT_EQ(client.session->free_streams(), 0u);
}

TEST_P(ServerLimitsTest, ConnectionsAreLimited) {
  serve({.connections_max = 1});
  WebClient& first = connect();
  WebClient& second = connect();
  world_.run_for(1s);
  EXPECT_TRUE(second.closed);
  EXPECT_EQ(wait(first, first.get("/")).head->status, 200);
}

TEST_P(ServerLimitsTest, AnAnswerBeforeTheCloseArrivesWhole) {
  serve();
  world_.fabric().options.window = 16'000;  // A slow way.
  WebClient& client = connect();
  const StreamId id = client.get("/large");
  world_.run_for(1ms);
  server().drain([] {});
  const auto answer = wait(client, id);
  EXPECT_EQ(answer.body.size(), 1'000'000u);
  EXPECT_EQ(answer.ends, 1);
}

using ClosingServerTest = testing::ServerTest;
INSTANTIATE_TEST_SUITE_P(Ways, ClosingServerTest,
                         ::testing::Values(Way{"http1", Protocol::Http1, false}));

// Sizes around those whose last piece makes the stream's queue full.
TEST_P(ClosingServerTest, AnAnswerOfAnySizeArrivesWholeBeforeTheClose) {
  serve();
  for (const std::size_t size :
       {262'143u, 262'144u, 262'145u, 524'288u, 524'289u, 560'000u, 589'824u}) {
    const std::string request = "GET /sized/" + std::to_string(size) +
                                " HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n";
    RawClient* client = nullptr;
    world_.add_node("raw" + std::to_string(size)).start([&](std::span<env::Env> loops) {
      auto program = std::make_shared<RawClient>(loops[0], request);
      client = program.get();
      return program;
    });
    ASSERT_TRUE(world_.run_until([&] { return client && client->over; }, 1min));
    EXPECT_EQ(client->received.size() - client->received.find("\r\n\r\n") - 4, size);
  }
}

TEST_P(ServerLimitsTest, DrainsAnIdleServerAtOnce) {
  serve();
  WebClient& client = connect();
  wait(client, client.get("/"));
  bool drained = false;
  server().drain([&] { drained = true; });
  EXPECT_FALSE(drained) << "never from inside the call";
  EXPECT_TRUE(world_.run_until([&] { return drained; }, 2s));
  EXPECT_EQ(server().connections(), 0u);
}

TEST_P(ServerLimitsTest, ADrainWaitsForOpenRequests) {
  serve();
  WebClient& client = connect();
  const StreamId id = client.get("/later");
  world_.run_for(1s);
  bool drained = false;
  server().drain([&] { drained = true; });
  world_.run_for(5s);
  EXPECT_FALSE(drained);
  handler_.kept[0].send({}, "last");
  EXPECT_EQ(wait(client, id).body, "last");
  EXPECT_TRUE(world_.run_until([&] { return drained; }, 2s));
  EXPECT_EQ(handler_.closed["/later"], std::vector{StreamEnd::Answered});
}

TEST_P(ServerLimitsTest, ADrainCutsWhatTakesTooLong) {
  serve();
  WebClient& client = connect();
  client.get("/tap");
  world_.run_for(1s);
  bool drained = false;
  server().drain([&] { drained = true; });
  world_.run_for(9s);
  EXPECT_FALSE(drained);
  world_.run_for(3s);
  EXPECT_TRUE(drained);
  EXPECT_EQ(handler_.closed["/tap"], std::vector{StreamEnd::Cancelled});
}

TEST_P(ServerLimitsTest, ADrainingServerTakesNoConnections) {
  serve();
  server().drain([] {});
  WebClient& client = connect();
  world_.run_for(1s);
  EXPECT_TRUE(client.closed);
  EXPECT_EQ(server().connections(), 0u);
}

// Whatever clients and networks do: each request is closed once, and nothing is left behind.
TEST_P(ServerLimitsTest, ForgetsNothingAndNobodyUnderFire) {
  serve({.requests_max = 6, .body_bytes_max = 200'000});
  world_.fabric().options.cut = 0.2;
  Random random(7);
  const std::vector<std::string> targets = {"/echo", "/later", "/tap", "/large", "/forbidden"};
  for (int round = 0; round < 60; ++round) {
    WebClient& client = connect();
    std::vector<StreamId> asked;
    for (std::uint64_t i = random.below(4); i < 4 && client.is_open(); ++i) {
      if (client.session->free_streams() == 0) break;
      const std::string& target = targets[random.below(targets.size())];
      asked.push_back(client.post(target, std::string(random.below(150'000), 'b')));
      world_.run_for(std::chrono::microseconds(random.below(3000)));
    }
    if (!handler_.kept.empty() && random.chance(0.5)) handler_.kept.pop_back();
    if (!asked.empty() && client.is_open() && random.chance(0.3)) client.cancel(asked[0]);
    if (random.chance(0.5)) client.hang_up();
  }
  world_.run_for(1s);
  handler_.kept.clear();
  handler_.tap->ended = true;
  bool drained = false;
  server().drain([&] { drained = true; });
  ASSERT_TRUE(world_.run_until([&] { return drained; }, 20s));
  EXPECT_EQ(server().requests(), 0u);
  EXPECT_EQ(server().connections(), 0u);
  std::size_t closed = 0;
  for (const auto& [target, ends] : handler_.closed) closed += ends.size();
  EXPECT_EQ(closed, handler_.seen.size());
  EXPECT_GT(closed, 20u);
}

}  // namespace
}  // namespace berth::http
