#include "http/server_service.h"

#include <map>

#include <gtest/gtest.h>

#include "env/scope.h"
#include "http/testing/web_client_service.h"
#include "sim/world.h"

namespace berth::http {
namespace {

using namespace std::chrono_literals;
using testing::Tap;
using testing::WebClient;
using testing::WebClientOptions;

// Keeps a streamed body, and returns the credit when told.
class KeepingSink final : public BodySink {
 public:
  struct State {
    std::string body = {};
    std::size_t held = 0;
    bool holding = false;
    bool ended = false;
    std::optional<Error> broken = std::nullopt;
    bool destroyed = false;
    Answer answer = {};
  };

  explicit KeepingSink(State& state) : state_(state) {}
  ~KeepingSink() override { state_.destroyed = true; }

  void on_body(std::string_view bytes) override {
    state_.body += bytes;
    state_.holding ? void(state_.held += bytes.size()) : state_.answer.release(bytes.size());
  }
  void on_end() override {
    state_.ended = true;
    state_.answer.send({}, "streamed");
  }
  void on_broken(const Error& error) override {
    state_.broken = error;
    state_.answer.send_error(error);
  }

 private:
  State& state_;
};

// Answers by the path, and keeps what it has seen.
class TestHandler final : public Handler {
 public:
  std::unique_ptr<BodySink> on_head(const ServerRequest& request, Answer& answer) override {
    if (request.head.target == "/forbidden") answer.send({.status = 403}, "no");
    if (request.head.target != "/sink") return nullptr;
    sink.answer = std::move(answer);
    return std::make_unique<KeepingSink>(sink);
  }

  void on_request(ServerRequest request, Answer answer) override {
    const std::string& target = request.head.target;
    answer.on_closed([this, target](StreamEnd end) { closed[target].push_back(end); });
    seen.push_back(request);
    if (target == "/later") {
      kept.push_back(std::move(answer));
    } else if (target == "/tap") {
      waker.emplace(answer.waker());
      answer.send({}, Body(std::make_unique<Tap>(tap)));
    } else if (target == "/large") {
      answer.send({}, std::string(1'000'000, 'x'));
    } else if (target.starts_with("/sized/")) {
      answer.send({}, std::string(std::stoul(target.substr(7)), 'x'));
    } else if (target != "/dropped") {
      answer.send({.status = 200}, "echo " + request.body);
    }
  }

  std::vector<ServerRequest> seen;
  std::vector<Answer> kept;
  std::map<std::string, std::vector<StreamEnd>> closed;
  std::shared_ptr<Tap::State> tap = std::make_shared<Tap::State>();
  std::optional<Waker> waker;
  KeepingSink::State sink;
};

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

const std::string kPem = "-----BEGIN CERTIFICATE-----\nc2VydmVy\n-----END CERTIFICATE-----\n";

struct Way {
  std::string_view name;
  Protocol protocol;
  bool tls;
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

// A server and its clients, each on a machine of its own.
class ServerTest : public ::testing::TestWithParam<Way> {
 protected:
  struct Program {
    Program(env::Env& env, TestHandler& handler, ServerSettings settings, bool tls)
        : server({env.clock, env.loop}, handler, settings) {
      env::ListenOptions options{.address = {.host = "", .port = 80}};
      if (tls) {
        options.tls = env::TlsServer{.identity = {.certificates_pem = kPem, .key_pem = kPem},
                                     .protocols = server_protocols()};
      }
      std::vector<env::Seat> seats;
      seats.push_back(server.seat(env.network));
      listener = env.network.listen(std::move(options), std::move(seats)).value();
    }

    Server server;
    std::unique_ptr<env::Listener> listener;
  };

  void serve(ServerSettings settings = {}) {
    world_.add_node("server").start([this, settings](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0], handler_, settings, GetParam().tls);
      program_ = program.get();
      return program;
    });
    world_.run_for(1us);
  }

  WebClient& connect(ClientOptions session = {}) {
    const std::string name = "client" + std::to_string(++clients_);
    WebClientOptions options{.connect = {.address = {.host = "server", .port = 80}},
                             .protocol = GetParam().protocol,
                             .session = std::move(session)};
    if (GetParam().tls) {
      options.connect.tls = env::TlsClient{.authorities_pem = kPem,
                                           .protocols = {std::string(alpn_name(options.protocol))}};
    }
    WebClient* client = nullptr;
    world_.add_node(name).start([&client, options](std::span<env::Env> loops) {
      auto program = std::make_shared<WebClient>(loops[0], options);
      client = program.get();
      return program;
    });
    EXPECT_TRUE(
        world_.run_until([&] { return client && (client->is_open() || client->closed); }, 1s));
    return *client;
  }

  // Runs until the answer is complete.
  testing::Answer wait(WebClient& client, StreamId id) {
    world_.run_until(
        [&] { return client.answer(id).ends > 0 || !client.answer(id).failures.empty(); }, 5min);
    return client.answer(id);
  }

  Server& server() { return program_->server; }

  TestHandler handler_;
  Program* program_ = nullptr;
  int clients_ = 0;
  sim::World world_{{}};
};

INSTANTIATE_TEST_SUITE_P(Ways, ServerTest,
                         ::testing::Values(Way{"http1", Protocol::Http1, false},
                                           Way{"http2", Protocol::Http2, false},
                                           Way{"http1_tls", Protocol::Http1, true},
                                           Way{"http2_tls", Protocol::Http2, true}));

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

TEST_P(ServerTest, AClientThatTakesNothingIsCut) {
  serve();
  WebClient& client = connect();
  client.recorder->holding = true;
  handler_.tap->endless = 64 << 20;
  client.get("/tap");
  world_.run_for(5min);
  EXPECT_EQ(handler_.closed["/tap"], std::vector{StreamEnd::Cancelled});
  EXPECT_TRUE(handler_.tap->destroyed);
}

TEST_P(ServerTest, ABodyThatIsTooLargeIsRefused) {
  serve();
  WebClient& client = connect();
  const auto answer = wait(client, client.post("/echo", std::string(kRequestBodyMax + 1, 'y')));
  ASSERT_TRUE(answer.head);
  EXPECT_EQ(answer.head->status, 413);
  EXPECT_NE(answer.body.find("limit is 3145728"), std::string::npos) << answer.body;
  EXPECT_TRUE(handler_.seen.empty());
}

TEST_P(ServerTest, TooManyWaitingRequestsAreSentAway) {
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

TEST_P(ServerTest, AllBodiesTogetherAreBounded) {
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

TEST_P(ServerTest, SilentConnectionsAreClosed) {
  serve();
  WebClient& client = connect();
  EXPECT_EQ(server().connections(), 1u);
  world_.run_for(3min);
  EXPECT_EQ(server().connections(), 0u);
  EXPECT_EQ(client.session->free_streams(), 0u);
}

TEST_P(ServerTest, ConnectionsAreLimited) {
  serve({.connections_max = 1});
  WebClient& first = connect();
  WebClient& second = connect();
  world_.run_for(1s);
  EXPECT_TRUE(second.closed);
  EXPECT_EQ(wait(first, first.get("/")).head->status, 200);
}

TEST_P(ServerTest, AnAnswerBeforeTheCloseArrivesWhole) {
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

using ClosingServerTest = ServerTest;
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

TEST_P(ServerTest, DrainsAnIdleServerAtOnce) {
  serve();
  WebClient& client = connect();
  wait(client, client.get("/"));
  bool drained = false;
  server().drain([&] { drained = true; });
  EXPECT_FALSE(drained) << "never from inside the call";
  EXPECT_TRUE(world_.run_until([&] { return drained; }, 2s));
  EXPECT_EQ(server().connections(), 0u);
}

TEST_P(ServerTest, ADrainWaitsForOpenRequests) {
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

TEST_P(ServerTest, ADrainCutsWhatTakesTooLong) {
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

TEST_P(ServerTest, ADrainingServerTakesNoConnections) {
  serve();
  server().drain([] {});
  WebClient& client = connect();
  world_.run_for(1s);
  EXPECT_TRUE(client.closed);
  EXPECT_EQ(server().connections(), 0u);
}

// Whatever clients and networks do: each request is closed once, and nothing is left behind.
TEST_P(ServerTest, ForgetsNothingAndNobodyUnderFire) {
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
