// A server in a simulated world and its clients, each on a machine of its own, over every protocol
// with and without TLS.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "http/server_service.h"
#include "http/testing/web_client_service.h"
#include "sim/world.h"

namespace berth::http::testing {

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
    http::Answer answer = {};
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
  std::unique_ptr<BodySink> on_head(const ServerRequest& request, http::Answer& answer) override {
    if (request.head.target == "/forbidden") answer.send({.status = 403}, "no");
    if (request.head.target != "/sink") return nullptr;
    sink.answer = std::move(answer);
    return std::make_unique<KeepingSink>(sink);
  }

  void on_request(ServerRequest request, http::Answer answer) override {
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
  std::vector<http::Answer> kept;
  std::map<std::string, std::vector<StreamEnd>> closed;
  std::shared_ptr<Tap::State> tap = std::make_shared<Tap::State>();
  std::optional<Waker> waker;
  KeepingSink::State sink;
};

inline const std::string kPem =
    "-----BEGIN CERTIFICATE-----\nc2VydmVy\n-----END CERTIFICATE-----\n";

struct Way {
  std::string_view name;
  Protocol protocol;
  bool tls;
};

inline constexpr Way kWays[] = {{"http1", Protocol::Http1, false},
                                {"http2", Protocol::Http2, false},
                                {"http1_tls", Protocol::Http1, true},
                                {"http2_tls", Protocol::Http2, true}};

inline void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

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
    world_.run_for(std::chrono::microseconds(1));
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
    EXPECT_TRUE(world_.run_until([&] { return client && (client->is_open() || client->closed); },
                                 std::chrono::seconds(1)));
    return *client;
  }

  // Runs until the answer is complete.
  Answer wait(WebClient& client, StreamId id) {
    world_.run_until(
        [&] { return client.answer(id).ends > 0 || !client.answer(id).failures.empty(); },
        std::chrono::minutes(5));
    return client.answer(id);
  }

  Server& server() { return program_->server; }

  TestHandler handler_;
  Program* program_ = nullptr;
  int clients_ = 0;
  sim::World world_{{}};
};

}  // namespace berth::http::testing
