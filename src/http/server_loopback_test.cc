// The server on real sockets with real TLS, over several loops.

#include <map>

#include <gtest/gtest.h>

#include "http/server_service.h"
#include "http/testing/web_client_service.h"
#include "runtime/system.h"
#include "runtime/testing/certificates.h"
#include "runtime/testing/ends.h"

namespace berth::http {
namespace {

using runtime::run_on;
using runtime::testing::Authority;
using runtime::testing::Awaited;
using testing::WebClient;
using testing::WebClientOptions;

// Says who asks, on which loop, and how much was sent.
class NamingHandler final : public Handler {
 public:
  explicit NamingHandler(std::size_t loop) : loop_(loop) {}

  void on_request(ServerRequest request, Answer answer) override {
    const auto& certificates = request.peer->certificates;
    const std::string who =
        certificates.empty() ? "nobody" : runtime::testing::common_name_of(certificates[0]);
    ResponseHead head;
    head.headers.add("loop", std::to_string(loop_));
    answer.send(std::move(head),
                who + " by " + request.peer->protocol + " " + std::to_string(request.body.size()));
  }

 private:
  std::size_t loop_;
};

class ServerLoopback : public ::testing::Test {
 protected:
  ServerLoopback() {
    for (std::size_t i = 0; i < system_.loops(); ++i) {
      env::Env& env = system_.env(i);
      run_on(env.loop, [&] {
        handlers_.push_back(std::make_unique<NamingHandler>(i));
        servers_.push_back(std::make_unique<Server>(Server::World{env.clock, env.loop},
                                                    *handlers_.back(), ServerSettings{}));
      });
    }
    env::ListenOptions options{.address = {.host = "127.0.0.1"}};
    options.tls = env::TlsServer{.identity = authority_.issue("hub", "IP:127.0.0.1"),
                                 .client_certificate = env::ClientCertificate::Request,
                                 .client_authorities_pem = authority_.pem(),
                                 .protocols = server_protocols()};
    run_on(system_.env(0).loop, [&] {
      std::vector<env::Seat> seats;
      for (std::size_t i = 0; i < servers_.size(); ++i) {
        seats.push_back(servers_[i]->seat(system_.env(i).network));
      }
      listener_ = system_.env(0).network.listen(std::move(options), std::move(seats)).value();
    });
  }

  ~ServerLoopback() override {
    run_on(system_.env(0).loop, [this] { listener_.reset(); });
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      run_on(system_.env(i).loop, [&] { servers_[i].reset(); });
    }
    run_on(system_.env(0).loop, [this] { clients_.clear(); });
  }

  // One request on a connection of its own.
  testing::Answer ask(env::TlsIdentity identity, std::string protocol, std::string body) {
    Awaited<testing::Answer> answer;
    env::Env& env = system_.env(0);
    run_on(env.loop, [&] {
      const std::size_t index = clients_.size();
      WebClientOptions options{
          .connect = {.address = listener_->address(),
                      .tls = env::TlsClient{.authorities_pem = authority_.pem(),
                                            .identity = std::move(identity),
                                            .protocols = {std::move(protocol)}}},
          .on_news = [this, index, &answer, body, asked = std::optional<StreamId>(),
                      told = false]() mutable {
            WebClient& client = *clients_[index];
            if (!client.is_open() || told) return;
            if (!asked) {
              asked = 0;  // post() calls back.
              asked = client.post("/", body);
            } else if (client.answer(*asked).ends > 0) {
              told = true;
              answer.put(client.answer(*asked));
            }
          }};
      clients_.push_back(std::make_unique<WebClient>(env, std::move(options)));
    });
    return answer.take();
  }

  runtime::System system_{{.loops = 2, .workers = 1, .log = {.level = env::Level::Error}}};
  Authority authority_{"authority"};
  std::vector<std::unique_ptr<NamingHandler>> handlers_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::unique_ptr<env::Listener> listener_;
  std::vector<std::unique_ptr<WebClient>> clients_;
};

TEST_F(ServerLoopback, TellsWhoTheClientIs) {
  const env::TlsIdentity admin = authority_.issue("admin", "");
  EXPECT_EQ(ask(admin, "h2", "x").body, "admin by h2 1");
  EXPECT_EQ(ask(admin, "http/1.1", "x").body, "admin by http/1.1 1");
  EXPECT_EQ(ask({}, "h2", "").body, "nobody by h2 0");
}

TEST_F(ServerLoopback, TakesTheLargestBodies) {
  const std::string body(kRequestBodyMax, 'b');
  EXPECT_EQ(ask({}, "h2", body).body, "nobody by h2 3145728");
  EXPECT_EQ(ask({}, "http/1.1", body).body, "nobody by http/1.1 3145728");
}

TEST_F(ServerLoopback, SpreadsConnectionsOverTheLoops) {
  std::map<std::string, int> loops;
  for (int i = 0; i < 20; ++i) {
    ++loops[std::string(ask({}, "h2", "").head->headers.find("loop").value_or("none"))];
  }
  EXPECT_EQ(loops, (std::map<std::string, int>{{"0", 10}, {"1", 10}}));
}

TEST_F(ServerLoopback, DrainsInGoodOrder) {
  ask({}, "h2", "");
  ask({}, "http/1.1", "");
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    Awaited<bool> drained;
    run_on(system_.env(i).loop, [&] { servers_[i]->drain([&] { drained.put(true); }); });
    EXPECT_TRUE(drained.take());
    run_on(system_.env(i).loop, [&] { EXPECT_EQ(servers_[i]->connections(), 0u); });
  }
}

}  // namespace
}  // namespace berth::http
