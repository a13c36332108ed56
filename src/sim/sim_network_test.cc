#include "sim/sim_network.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sim/testing/ends.h"
#include "sim/world.h"

namespace berth::sim {
namespace {

using namespace std::chrono_literals;
using testing::Client;
using testing::End;
using testing::Server;

void echo(End& end, std::string_view bytes) { end.stream->write(bytes); }

class SimNetworkTest : public ::testing::Test {
 protected:
  SimNetworkTest() {
    world_.add_node("hub").start([this](std::span<env::Env> loops) {
      auto server = std::make_shared<Server>(loops[0], reaction_, listen_);
      server_ = server.get();
      return server;
    });
    world_.add_node("agent");
  }

  void dial() { dial({.address = {.host = "hub", .port = 1}}); }
  void dial(env::ConnectOptions options) {
    world_.node("agent").start([this, options](std::span<env::Env> loops) {
      auto client = std::make_shared<Client>(loops[0], options);
      client_ = client.get();
      return client;
    });
    world_.run_for(10ms);
  }

  End& near() { return *client_->end; }
  End& far() { return *server_->ends.at(0); }

  World world_{{.seed = 1}};
  End::Reaction reaction_;
  env::ListenOptions listen_ = Server::kPlain;
  Server* server_ = nullptr;
  Client* client_ = nullptr;
};

TEST_F(SimNetworkTest, CarriesBytesBothWaysAndClosesInOrder) {
  reaction_ = &echo;
  dial();
  near().stream->write("hello");
  near().stream->shutdown_write();
  world_.run_for(10ms);
  EXPECT_EQ(near().received, "hello");
  EXPECT_TRUE(far().ended);
  EXPECT_FALSE(far().closed.has_value());
  EXPECT_EQ(near().drained, 1);
  far().stream->shutdown_write();
  world_.run_for(10ms);
  ASSERT_TRUE(near().closed && far().closed);
  EXPECT_TRUE(near().closed->ok() && far().closed->ok());
  EXPECT_EQ(far().stream->peer().address.host, "agent");
}

TEST_F(SimNetworkTest, ResolvesTheNamesOfMachines) {
  std::map<std::string, Result<std::vector<env::Address>>> answers;
  world_.node("agent").start([&](std::span<env::Env> loops) {
    for (const std::string host : {"hub", "localhost", "nowhere"}) {
      loops[0].network.resolve({.host = host, .port = 7}, [&answers, host](auto answer) {
        answers.emplace(host, std::move(answer));
      });
    }
    return nullptr;
  });
  world_.run_for(1s);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers.at("hub"), (std::vector<env::Address>{{.host = "hub", .port = 7}}));
  EXPECT_EQ(answers.at("localhost"), (std::vector<env::Address>{{.host = "127.0.0.1", .port = 7}}));
  EXPECT_EQ(answers.at("nowhere").error().message, "resolve nowhere: no such host");
}

TEST_F(SimNetworkTest, SaysWhoIsNotThere) {
  dial({.address = {.host = "hub", .port = 2}});
  EXPECT_EQ(client_->error->message, "connect to hub:2: Connection refused");
  world_.node("agent").crash(Crash::Process);
  dial({.address = {.host = "nowhere", .port = 2}});
  EXPECT_EQ(client_->error->message, "resolve nowhere: no such host");
}

TEST_F(SimNetworkTest, ASlowReaderBoundsWhatLeavesTheWriter) {
  dial();
  far().stream->pause_reading();
  const std::string much(1'000'000, 'x');
  near().stream->write(much);
  world_.run_for(1s);
  EXPECT_EQ(near().drained, 0);
  EXPECT_GE(near().stream->write(""), much.size() - world_.fabric().options.window);
  far().stream->resume_reading();
  world_.run_for(1s);
  EXPECT_EQ(near().drained, 1);
  EXPECT_EQ(far().received, much);
}

TEST_F(SimNetworkTest, ABlockedDirectionHoldsBytesBackAndHealsWithoutLoss) {
  reaction_ = &echo;
  dial();
  world_.fabric().block("hub", "agent");
  near().stream->write("ping");
  world_.run_for(10s);
  EXPECT_EQ(far().received, "ping");
  EXPECT_EQ(near().received, "");
  world_.fabric().heal();
  world_.run_for(1s);
  EXPECT_EQ(near().received, "ping");
}

TEST_F(SimNetworkTest, AStreamThatStaysBlockedIsGivenUpByWhoeverSends) {
  dial();
  world_.fabric().block("agent", "hub");
  near().stream->write("ping");
  world_.run_for(10min);
  ASSERT_TRUE(near().closed.has_value());
  EXPECT_EQ(near().closed->error().code, Code::Timeout);
  EXPECT_FALSE(far().closed.has_value());  // It waits, and knows nothing.
}

TEST_F(SimNetworkTest, ConnectingThroughAPartitionTimesOut) {
  world_.fabric().block("agent", "hub");
  dial();
  world_.run_for(29s);
  EXPECT_FALSE(client_->error.has_value());
  world_.run_for(2s);
  EXPECT_EQ(client_->error->code, Code::Timeout);
}

TEST_F(SimNetworkTest, AClogDelaysEverythingInOneDirection) {
  reaction_ = &echo;
  dial();
  world_.fabric().clog("agent", "hub", world_.now() + 5s);
  near().stream->write("ping");
  world_.run_for(4900ms);
  EXPECT_EQ(far().received, "");
  world_.run_for(200ms);
  EXPECT_EQ(near().received, "ping");
}

TEST_F(SimNetworkTest, ACutReachesBothSides) {
  dial();
  near().stream->write("hello");
  EXPECT_EQ(world_.fabric().cut_streams("hub", "agent"), 1u);
  world_.run_for(10ms);
  ASSERT_TRUE(near().closed && far().closed);
  EXPECT_FALSE(near().closed->ok() || far().closed->ok());
  EXPECT_EQ(world_.fabric().open_streams(), 0u);
}

TEST_F(SimNetworkTest, NobodyHearsOfAMutedStream) {
  dial();
  world_.fabric().mute_streams("hub", "agent");
  near().stream->write("hello");
  world_.run_for(1h);
  EXPECT_FALSE(near().closed || far().closed);
  EXPECT_EQ(far().received, "");
}

TEST_F(SimNetworkTest, StreamsCanBeCutAfterAnyByte) {
  std::set<std::size_t> lengths;
  world_.fabric().options.cut = 1;
  world_.fabric().options.cut_bytes_max = 1000;
  for (int i = 0; i < 30; ++i) {
    dial();
    near().stream->write(std::string(5000, 'x'));
    world_.run_for(1s);
    EXPECT_TRUE(near().closed.has_value());
    lengths.insert(server_->ends.back()->received.size());
    world_.node("agent").crash(Crash::Process);
  }
  EXPECT_GT(lengths.size(), 20u);
  EXPECT_LT(*lengths.rbegin(), 1000u);
}

TEST_F(SimNetworkTest, AKilledProcessIsHeardAndALostMachineIsNot) {
  dial();
  world_.node("agent").crash(Crash::Process);
  world_.run_for(1s);
  EXPECT_TRUE(far().closed.has_value());

  dial();
  End& second = *server_->ends.at(1);
  world_.node("agent").crash(Crash::Power);
  world_.run_for(1h);
  EXPECT_FALSE(second.closed.has_value());
  world_.node("agent").restart();
  second.stream->write("are you there?");
  world_.run_for(1s);
  ASSERT_TRUE(second.closed.has_value());
  EXPECT_EQ(second.closed->error().message, "receive: Connection reset by peer");
}

TEST_F(SimNetworkTest, ADestroyedStreamResetsItsPeer) {
  dial();
  near().stream->write("last words");
  world_.run_for(10ms);
  client_->end.reset();
  world_.run_for(10ms);
  EXPECT_EQ(far().received, "last words");
  EXPECT_FALSE(far().closed.value().ok());
}

TEST_F(SimNetworkTest, LossDelaysAndKeepsTheOrder) {
  world_.fabric().options.loss = 0.3;
  world_.fabric().options.segment_max = 16;
  world_.fabric().options.latency_max = 50ms;
  dial();
  world_.run_for(10s);
  std::string sent;
  for (int i = 0; i < 500; ++i) {
    const std::string line = std::to_string(i) + "\n";
    near().stream->write(line);
    sent += line;
  }
  world_.run_for(100ms);
  EXPECT_LT(far().received.size(), sent.size());
  world_.run_for(10min);
  EXPECT_EQ(far().received, sent);
}

TEST_F(SimNetworkTest, StreamsOvertakeEachOther) {
  world_.fabric().options.latency_max = 100ms;
  bool overtaken = false;
  for (int i = 0; i < 20 && !overtaken; ++i) {
    World world({.seed = static_cast<std::uint64_t>(i)});
    world.fabric().options.latency_max = 100ms;
    std::string order;
    Server* server = nullptr;
    world.add_node("hub").start([&](std::span<env::Env> loops) {
      auto made =
          std::make_shared<Server>(loops[0], [&](End&, std::string_view bytes) { order += bytes; });
      server = made.get();
      return made;
    });
    std::vector<Client*> clients;
    world.add_node("agent").start([&](std::span<env::Env> loops) {
      auto pair = std::make_shared<std::vector<std::unique_ptr<Client>>>();
      for (int c = 0; c < 2; ++c) {
        pair->push_back(std::make_unique<Client>(
            loops[0], env::ConnectOptions{.address = {.host = "hub", .port = 1}}));
        clients.push_back(pair->back().get());
      }
      return pair;
    });
    world.run_for(1s);
    clients[0]->end->stream->write("1");
    clients[1]->end->stream->write("2");
    world.run_for(1s);
    overtaken = order == "21";
  }
  EXPECT_TRUE(overtaken);
}

TEST_F(SimNetworkTest, RefusesBeyondTheLimitAndFreesPlaces) {
  world_.node("hub").crash(Crash::Process);
  listen_.streams_max = 1;
  world_.node("hub").restart();
  dial();
  ASSERT_TRUE(client_->end);
  world_.add_node("other").start([](std::span<env::Env> loops) {
    return std::make_shared<Client>(loops[0],
                                    env::ConnectOptions{.address = {.host = "hub", .port = 1}});
  });
  world_.run_for(10ms);
  EXPECT_EQ(server_->ends.size(), 1u);
}

TEST_F(SimNetworkTest, IntroducesCertificates) {
  const std::string ca = "-----BEGIN CERTIFICATE-----\nca!\n-----END CERTIFICATE-----\n";
  const std::string agent = "-----BEGIN CERTIFICATE-----\nagent!\n-----END CERTIFICATE-----\n";
  world_.node("hub").crash(Crash::Process);
  listen_.tls = env::TlsServer{.identity = {.certificates_pem = ca},
                               .client_certificate = env::ClientCertificate::Require,
                               .client_authorities_pem = ca};
  world_.node("hub").restart();
  dial(
      {.address = {.host = "hub", .port = 1},
       .tls = env::TlsClient{.authorities_pem = ca, .identity = {.certificates_pem = agent + ca}}});
  EXPECT_EQ(far().stream->peer().certificates.at(0), "agent!");
  world_.node("agent").crash(Crash::Process);
  dial();
  near().stream->write("plain words");
  world_.run_for(10ms);
  EXPECT_TRUE(near().closed.has_value()) << "whoever comes without TLS is not listened to";
}

}  // namespace
}  // namespace berth::sim
