#include "sim/inband_tls.h"

#include <gtest/gtest.h>

#include "sim/testing/ends.h"
#include "sim/world.h"

namespace berth::sim {
namespace {

using namespace std::chrono_literals;
using testing::Client;
using testing::End;
using testing::Server;

const std::string kPem = "-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n";
const std::string kOther = "-----BEGIN CERTIFICATE-----\nYg==\n-----END CERTIFICATE-----\n";

// A plain stream to a server, on which TLS is begun.
class InbandTls : public ::testing::Test {
 protected:
  void open(const env::ListenOptions& listen) {
    world_.add_node("hub").start([this, listen](std::span<env::Env> loops) {
      auto server = std::make_shared<Server>(
          loops[0], [](End& end, std::string_view bytes) { end.stream->write(bytes); }, listen);
      server_ = server.get();
      return server;
    });
    world_.add_node("agent").start([this](std::span<env::Env> loops) {
      auto client = std::make_shared<Client>(
          loops[0], env::ConnectOptions{.address = {.host = "hub", .port = 1}});
      client_ = client.get();
      return client;
    });
    world_.run_for(10ms);
  }
  void secure(env::TlsClient tls) {
    tls.server_name = "hub";
    env::Env& env = world_.node("agent").process()->loops()[0];
    env.network.secure(std::move(client_->end->stream), {.tls = std::move(tls)},
                       [this](Result<std::unique_ptr<env::Stream>> stream) {
                         if (stream.ok()) {
                           end_ = std::make_unique<End>(*std::move(stream));
                         } else {
                           error_ = stream.error();
                         }
                       });
    world_.run_for(20s);
  }
  ~InbandTls() override { end_.reset(); }

  env::ListenOptions tls_server() {
    env::ListenOptions listen = Server::kPlain;
    listen.tls = env::TlsServer{.identity = {.certificates_pem = kPem}, .protocols = {"h2"}};
    return listen;
  }

  World world_{{.seed = 1}};
  Server* server_ = nullptr;
  Client* client_ = nullptr;
  std::unique_ptr<End> end_;
  std::optional<Error> error_;
};

TEST_F(InbandTls, EndsInTheSameIntroductionAsAConnectWithTls) {
  open(tls_server());
  EXPECT_TRUE(server_->ends.empty()) << "nobody is let in before the handshake";
  secure({.authorities_pem = kPem, .protocols = {"h2", "http/1.1"}});
  ASSERT_TRUE(end_) << error_->message;
  EXPECT_EQ(end_->stream->peer().protocol, "h2");
  EXPECT_EQ(end_->stream->peer().address.host, "hub");
  EXPECT_EQ(server_->ends.at(0)->stream->peer().protocol, "h2");
  end_->stream->write("hello");
  world_.run_for(10ms);
  EXPECT_EQ(end_->received, "hello");
}

TEST_F(InbandTls, ARefusalIsHeardByTheClientOnly) {
  open(tls_server());
  secure({.authorities_pem = kOther});
  ASSERT_TRUE(error_);
  EXPECT_EQ(error_->code, Code::Unauthorized);
  EXPECT_TRUE(server_->ends.empty());
}

TEST_F(InbandTls, AServerWithoutTlsIsNoticed) {
  open(Server::kPlain);
  secure({.authorities_pem = kPem});
  ASSERT_TRUE(error_);
  EXPECT_TRUE(error_->message.starts_with("TLS handshake: ")) << error_->message;
}

TEST_F(InbandTls, WhoeverSaysAnythingElseIsDropped) {
  open(tls_server());
  client_->end->stream->write("GET / HTTP/1.1\r\n\r\n");
  world_.run_for(1s);
  EXPECT_TRUE(client_->end->closed.has_value());
  EXPECT_TRUE(server_->ends.empty());
}

TEST_F(InbandTls, WhoeverSaysNothingIsDroppedAfterAWhile) {
  open(tls_server());
  world_.run_for(9s);
  EXPECT_FALSE(client_->end->closed.has_value());
  world_.run_for(2s);
  EXPECT_TRUE(client_->end->closed.has_value());
}

}  // namespace
}  // namespace berth::sim
