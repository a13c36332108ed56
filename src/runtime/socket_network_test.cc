#include "runtime/socket_network.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "runtime/line_log.h"
#include "runtime/system_clock.h"
#include "runtime/testing/certificates.h"
#include "runtime/testing/ends.h"
#include "runtime/testing/names.h"

namespace berth::runtime {
namespace {

using namespace std::chrono_literals;
using testing::Authority;
using testing::Awaited;
using testing::connect;
using testing::End;
using testing::Heard;
using testing::nobody;

const env::Address kLocal = {.host = "127.0.0.1"};

// A server whose accepted ends are kept, one client loop, one or two server loops.
class SocketNetworkTest : public ::testing::Test {
 protected:
  ~SocketNetworkTest() override {
    run_on(server().loop, [this] { listener_.reset(); });
    for (std::size_t i = 0; i < system_.loops(); ++i) {
      run_on(system_.env(i).loop, [this, i] { accepted_[i].clear(); });
    }
    run_on(client().loop, [this] { clients_.clear(); });
  }

  env::Env& server() { return system_.env(0); }
  env::Env& client() { return system_.env(1); }

  env::Address listen(env::ListenOptions options, End::Reaction reaction = {}) {
    env::Address address;
    run_on(server().loop, [&] {
      std::vector<env::Seat> seats;
      for (std::size_t i = 0; i < system_.loops(); ++i) {
        seats.push_back({&system_.env(i).network, [this, i, reaction](auto stream) {
                           accepted_[i].push_back(
                               std::make_unique<End>(std::move(stream), reaction));
                           newest_.put(accepted_[i].back().get());
                           count_.fetch_add(1);
                         }});
      }
      auto listener = server().network.listen(std::move(options), std::move(seats));
      ASSERT_TRUE(listener.ok()) << listener.error().message;
      listener_ = std::move(*listener);
      address = listener_->address();
    });
    return address;
  }

  // The client's end of a new stream.
  End& open(env::ConnectOptions options, End::Reaction reaction = {}) {
    auto stream = connect(client(), std::move(options));
    EXPECT_TRUE(stream.ok()) << stream.error().message;
    End* end = nullptr;
    run_on(client().loop, [&] {
      clients_.push_back(std::make_unique<End>(std::move(*stream), std::move(reaction)));
      end = clients_.back().get();
    });
    return *end;
  }

  void write(env::Env& env, End& end, std::string_view bytes) {
    run_on(env.loop, [&] { end.stream().write(bytes); });
  }

  System system_{{.loops = 2, .workers = 1, .log = {.level = env::Level::Error}}};
  std::unique_ptr<env::Listener> listener_;
  std::vector<std::unique_ptr<End>> accepted_[2];
  std::vector<std::unique_ptr<End>> clients_;
  Awaited<End*> newest_;
  std::atomic<int> count_ = 0;
};

void echo(End& end, std::string_view bytes) { end.stream().write(bytes); }

std::function<bool(const Heard&)> has(std::string text) {
  return [text = std::move(text)](const Heard& heard) { return heard.received == text; };
}

TEST_F(SocketNetworkTest, ResolvesNamesToNumericAddresses) {
  Awaited<Result<std::vector<env::Address>>> found;
  run_on(client().loop, [&] {
    client().network.resolve({.host = "127.0.0.1", .port = 7},
                             [&](auto addresses) { found.put(std::move(addresses)); });
  });
  EXPECT_EQ(found.take(), (std::vector<env::Address>{{.host = "127.0.0.1", .port = 7}}));

  Awaited<Result<std::vector<env::Address>>> missing;
  run_on(client().loop, [&] {
    client().network.resolve({.host = "", .port = 7},
                             [&](auto addresses) { missing.put(std::move(addresses)); });
  });
  EXPECT_EQ(missing.take().error().code, Code::ServiceUnavailable);
}

TEST_F(SocketNetworkTest, CarriesBytesBothWaysAndClosesInOrder) {
  const env::Address address = listen({.address = kLocal}, &echo);
  End& end = open({.address = address});
  write(client(), end, "hello");
  end.wait_until(has("hello"));
  run_on(client().loop, [&] { end.stream().shutdown_write(); });
  End& other = *newest_.take();
  other.wait_until([](const Heard& heard) { return heard.ended; });
  EXPECT_FALSE(other.heard().closed.has_value());
}

TEST_F(SocketNetworkTest, AHalfClosedStreamStillSendsTheOtherWay) {
  const env::Address address = listen({.address = kLocal});
  End& end = open({.address = address});
  run_on(client().loop, [&] {
    end.stream().write("question");
    end.stream().shutdown_write();
    end.stream().write("ignored");
  });
  End& other = *newest_.take();
  other.wait_until([](const Heard& heard) { return heard.ended; });
  EXPECT_EQ(other.heard().received, "question");
  for (std::size_t i = 0; i < 2; ++i) {
    run_on(system_.env(i).loop, [&, i] {
      if (accepted_[i].empty()) return;
      other.stream().write("answer");
      other.stream().shutdown_write();
    });
  }
  const Heard heard = end.wait_until([](const Heard& h) { return h.closed.has_value(); });
  EXPECT_EQ(heard.received, "answer");
  EXPECT_TRUE(heard.closed->ok());
  other.wait_until([](const Heard& h) { return h.closed.has_value(); });
}

TEST_F(SocketNetworkTest, SaysWhoRefuses) {
  env::Address address = listen({.address = kLocal});
  run_on(server().loop, [this] { listener_.reset(); });
  const auto stream = connect(client(), {.address = address});
  ASSERT_FALSE(stream.ok());
  EXPECT_EQ(stream.error().code, Code::ServiceUnavailable);
  EXPECT_EQ(stream.error().message, "connect to " + to_string(address) + ": Connection refused");
}

TEST_F(SocketNetworkTest, ResolvesNames) {
  const env::Address address = listen({.address = kLocal}, &echo);
  End& end = open({.address = {.host = "localhost", .port = address.port}});
  write(client(), end, "x");
  end.wait_until(has("x"));
  const auto lost = connect(client(), {.address = {.host = nobody(), .port = 1}});
  ASSERT_FALSE(lost.ok());
  EXPECT_TRUE(lost.error().message.starts_with("resolve " + nobody() + ": "));
}

TEST(SocketNetworkNames, OneThatIsNotAnsweredHoldsUpNoOther) {
  std::promise<void> late;
  const LookUp look_up = [answer = late.get_future().share()](const std::string& host) {
    if (host.starts_with("silent")) answer.wait();
    return Result<std::vector<std::string>>({"127.0.0.1"});
  };
  const SystemClock clock;
  LineLog log(clock, {.level = env::Level::Error});
  IoLoop loop(clock);
  SocketNetwork network(loop, clock, log, look_up);
  std::vector<env::Seat> seats;
  seats.push_back({&network, [](auto) {}});
  const auto listener = network.listen({.address = kLocal}, std::move(seats));
  ASSERT_TRUE(listener.ok());
  const std::uint16_t port = (*listener)->address().port;

  bool reached = false;
  const auto finished = [&](const auto& stream) {
    reached = stream.ok();
    loop.stop();
  };
  for (const char* host : {"silent1.test", "silent2.test", "hub.test"}) {
    network.connect({.address = {.host = host, .port = port}, .connect_timeout = 5s}, finished);
  }
  loop.run();
  EXPECT_TRUE(reached);
  late.set_value();
}

TEST_F(SocketNetworkTest, RefusesAPortThatIsTaken) {
  const env::Address address = listen({.address = kLocal});
  run_on(client().loop, [&] {
    std::vector<env::Seat> seats;
    seats.push_back({&client().network, [](auto) {}});
    const auto second = client().network.listen({.address = address}, std::move(seats));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().message,
              "listen on " + to_string(address) + ": Address already in use");
  });
}

TEST_F(SocketNetworkTest, TellsTheOtherSideWhenAStreamIsDropped) {
  const env::Address address = listen({.address = kLocal});
  End& end = open({.address = address});
  End* other = newest_.take();
  write(client(), end, "unread bytes turn a close into a reset");
  other->wait_until([](const Heard& heard) { return !heard.received.empty(); });
  run_on(client().loop, [this] { clients_.clear(); });
  other->wait_until([](const Heard& heard) { return heard.ended || heard.closed.has_value(); });
}

TEST_F(SocketNetworkTest, ASlowReaderBoundsWhatTheWriterQueues) {
  const env::Address address = listen({.address = kLocal});
  constexpr std::size_t kBound = 256 * 1024;
  constexpr std::size_t kMore = 16 * 1024 * 1024;
  constexpr std::size_t kTooMuch = 1024 * 1024 * 1024;  // For the buffers of any two sockets.
  End& end = open({.address = address});
  End* other = newest_.take();
  const bool on_first = [&] {
    bool found = false;
    run_on(system_.env(0).loop, [&] { found = !accepted_[0].empty(); });
    return found;
  }();
  env::Env& reader = system_.env(on_first ? 0 : 1);
  run_on(reader.loop, [&] { other->stream().pause_reading(); });

  // Writes whenever there is room, as a good producer does.
  std::size_t produced = 0;
  std::size_t total = kTooMuch;
  std::size_t queued_most = 0;
  const std::string chunk(64 * 1024, 'x');
  const std::function<void()> produce = [&] {
    while (produced < total) {
      const std::size_t queued = end.stream().write(chunk);
      produced += chunk.size();
      queued_most = std::max(queued_most, queued);
      if (queued >= kBound) return;
    }
  };
  for (;;) {
    int drained = 0;
    run_on(client().loop, [&] {
      drained = end.heard().drained;
      produce();
    });
    ASSERT_LT(produced, kTooMuch) << "nothing holds the writer up";
    // The reader does not read, so soon the writer is never told to go on.
    bool stuck = false;
    for (int turn = 0; turn < 200; ++turn) {
      run_on(client().loop, [&] { stuck = end.heard().drained == drained; });
      if (!stuck) break;
    }
    if (stuck) break;
  }
  EXPECT_LE(queued_most, kBound + chunk.size());
  EXPECT_EQ(other->heard().received.size(), 0u);

  run_on(reader.loop, [&] { other->stream().resume_reading(); });
  total = produced + kMore;
  while (produced < total) {
    const int drained = end.heard().drained;
    if (drained > 0) run_on(client().loop, produce);
    if (produced < total) {
      end.wait_until([&](const Heard& heard) { return heard.drained > drained; });
    }
  }
  other->wait_until([&](const Heard& heard) { return heard.received.size() == total; });
}

TEST_F(SocketNetworkTest, ADestroyedStreamSaysNothingMoreEvenFromInsideACallback) {
  const env::Address address = listen({.address = kLocal}, &echo);
  Awaited<bool> destroyed;
  End& end = open({.address = address}, [&](End& /*end*/, std::string_view /*bytes*/) {
    auto gone = std::move(clients_);
    clients_.clear();
    destroyed.put(true);
  });
  write(client(), end, "bye");
  EXPECT_TRUE(destroyed.take());
}

TEST_F(SocketNetworkTest, ClosesStreamsBeyondTheLimit) {
  const env::Address address = listen({.address = kLocal, .streams_max = 1}, &echo);
  End& first = open({.address = address});
  write(client(), first, "x");
  first.wait_until(has("x"));
  End& second = open({.address = address});
  second.wait_until([](const Heard& heard) { return heard.ended || heard.closed.has_value(); });
  EXPECT_EQ(count_.load(), 1);
}

TEST_F(SocketNetworkTest, DealsStreamsToAllSeats) {
  const env::Address address = listen({.address = kLocal}, &echo);
  for (int i = 0; i < 4; ++i) {
    End& end = open({.address = address});
    write(client(), end, "x");
    end.wait_until(has("x"));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    run_on(system_.env(i).loop, [&, i] { EXPECT_EQ(accepted_[i].size(), 2u); });
  }
}

TEST_F(SocketNetworkTest, HandlesAsManyConnectionsAtOnceAsTheSystemLetsIt) {
  // Each has two ends here.
  const int connections =
      static_cast<int>(std::min<std::size_t>(2000, (raise_descriptor_limit() - 200) / 2));
  const env::Address address = listen({.address = kLocal}, &echo);
  int left = connections;  // Of those whose outcome is not known yet.
  std::vector<std::string> failures;
  Awaited<bool> all;
  run_on(client().loop, [&] {
    const auto settle = [&] {
      if (--left == 0) all.put(true);
    };
    for (int i = 0; i < connections; ++i) {
      client().network.connect({.address = address}, [&, settle](auto stream) {
        if (!stream.ok()) {
          failures.push_back(stream.error().message);
          return settle();
        }
        clients_.push_back(std::make_unique<End>(std::move(*stream),
                                                 [settle](End&, std::string_view) { settle(); }));
        clients_.back()->stream().write("ping");
      });
    }
  });
  EXPECT_TRUE(all.take());
  EXPECT_EQ(failures, std::vector<std::string>());
  EXPECT_EQ(count_.load(), connections);
}

class TlsTest : public SocketNetworkTest {
 protected:
  env::TlsServer server_tls() {
    return {.identity = authority_.issue("hub", "DNS:hub.test,IP:127.0.0.1"),
            .protocols = {"h2", "http/1.1"}};
  }
  env::TlsClient client_tls() { return {.authorities_pem = authority_.pem()}; }

  Authority authority_{"authority"};
};

TEST_F(TlsTest, EncryptsAndAgreesOnTheServersFirstProtocol) {
  const env::Address address = listen({.address = kLocal, .tls = server_tls()}, &echo);
  auto tls = client_tls();
  tls.protocols = {"http/1.1", "h2"};
  End& end = open({.address = address, .tls = tls});
  const std::string much(3'000'000, 'y');
  write(client(), end, much);
  end.wait_until(has(much));
  run_on(client().loop, [&] {
    EXPECT_EQ(end.stream().peer().protocol, "h2");
    ASSERT_EQ(end.stream().peer().certificates.size(), 2u);
    EXPECT_EQ(testing::common_name_of(end.stream().peer().certificates[0]), "hub");
    end.stream().shutdown_write();
  });
  newest_.take()->wait_until([](const Heard& heard) { return heard.ended; });
}

TEST_F(TlsTest, RefusesAnAuthorityThatItDoesNotTrust) {
  const env::Address address = listen({.address = kLocal, .tls = server_tls()});
  const auto stream =
      connect(client(),
              {.address = address, .tls = env::TlsClient{.authorities_pem = Authority("x").pem()}});
  ASSERT_FALSE(stream.ok());
  EXPECT_EQ(stream.error().code, Code::Unauthorized);
  EXPECT_EQ(stream.error().message,
            "TLS handshake: the peer's certificate: unable to get local issuer certificate");
}

TEST_F(TlsTest, RefusesACertificateForAnotherName) {
  const env::Address address = listen({.address = kLocal, .tls = server_tls()});
  for (const char* name : {"other.test", "127.0.0.2"}) {
    auto tls = client_tls();
    tls.server_name = name;
    const auto stream = connect(client(), {.address = address, .tls = tls});
    ASSERT_FALSE(stream.ok());
    EXPECT_EQ(stream.error().code, Code::Unauthorized) << stream.error().message;
  }
  auto tls = client_tls();
  tls.server_name = "hub.test";
  EXPECT_TRUE(connect(client(), {.address = address, .tls = tls}).ok());
}

TEST_F(TlsTest, AcceptsAnythingWhenToldTo) {
  const env::Address address = listen({.address = kLocal, .tls = server_tls()});
  EXPECT_TRUE(connect(client(),
                      {.address = address, .tls = env::TlsClient{.trust = env::TlsTrust::Anything}})
                  .ok());
}

TEST_F(TlsTest, RequiresAClientsCertificate) {
  auto tls = server_tls();
  tls.client_certificate = env::ClientCertificate::Require;
  tls.client_authorities_pem = authority_.pem();
  const env::Address address = listen({.address = kLocal, .tls = tls}, &echo);

  // In TLS 1.3 the client has finished when the server begins to check: it hears it as a close.
  EXPECT_EQ(open({.address = address, .tls = client_tls()}).wait_for_failure().code,
            Code::Unauthorized);
  auto stranger = client_tls();
  stranger.identity = Authority("x").issue("stranger", "");
  EXPECT_EQ(open({.address = address, .tls = stranger}).wait_for_failure().code,
            Code::Unauthorized);

  auto known = client_tls();
  known.identity = authority_.issue("agent", "");
  End& end = open({.address = address, .tls = known});
  write(client(), end, "x");
  end.wait_until(has("x"));
  EXPECT_EQ(count_.load(), 1);
}

TEST_F(TlsTest, TellsAboutARequestedCertificateInsteadOfRefusing) {
  auto tls = server_tls();
  tls.client_certificate = env::ClientCertificate::Request;
  tls.client_authorities_pem = authority_.pem();
  const env::Address address =
      listen({.address = kLocal, .tls = tls}, [](End& end, std::string_view /*bytes*/) {
        const env::Peer& peer = end.stream().peer();
        end.stream().write(peer.certificates.empty()
                               ? "nobody: " + peer.certificate_error
                               : testing::common_name_of(peer.certificates[0]));
      });
  const auto answer_to = [&](env::TlsIdentity identity, std::string expected) {
    auto settings = client_tls();
    settings.identity = std::move(identity);
    End& end = open({.address = address, .tls = settings});
    write(client(), end, "who am I?");
    end.wait_until(has(std::move(expected)));
  };
  answer_to({}, "nobody: ");
  answer_to(Authority("x").issue("stranger", ""), "nobody: unable to get local issuer certificate");
  answer_to(authority_.issue("agent", ""), "agent");
}

TEST_F(TlsTest, UsesAReplacedCertificateForNewHandshakesOnly) {
  const env::Address address = listen({.address = kLocal, .tls = server_tls()}, &echo);
  const auto name = [this](End& end) {
    std::string result;
    run_on(client().loop,
           [&] { result = testing::common_name_of(end.stream().peer().certificates.at(0)); });
    return result;
  };
  End& before = open({.address = address, .tls = client_tls()});
  EXPECT_EQ(name(before), "hub");
  run_on(server().loop, [this] {
    auto broken = server_tls();
    broken.identity.key_pem = authority_.issue("other", "").key_pem;
    EXPECT_EQ(listener_->replace_tls(broken).error().code, Code::BadRequest);
    auto renewed = server_tls();
    renewed.identity = authority_.issue("renewed", "IP:127.0.0.1");
    EXPECT_TRUE(listener_->replace_tls(renewed).ok());
  });
  EXPECT_EQ(name(open({.address = address, .tls = client_tls()})), "renewed");
  write(client(), before, "still there");
  before.wait_until(has("still there"));
}

TEST_F(TlsTest, SaysBeforehandWhatCannotWork) {
  auto tls = client_tls();
  tls.identity = authority_.issue("agent", "");
  run_on(client().loop, [&] { EXPECT_TRUE(client().network.check(tls).ok()); });
  tls.identity.key_pem = authority_.issue("renewed", "").key_pem;
  run_on(client().loop,
         [&] { EXPECT_EQ(client().network.check(tls).error().code, Code::BadRequest); });
}

TEST_F(TlsTest, GivesUpOnAPeerThatDoesNotShakeHands) {
  const env::Address mute = listen({.address = kLocal});  // Accepts, and says nothing.
  const auto stream =
      connect(client(), {.address = mute, .tls = client_tls(), .handshake_timeout = 20ms});
  ASSERT_FALSE(stream.ok());
  EXPECT_EQ(stream.error().code, Code::Timeout);
}

TEST_F(TlsTest, DropsAClientThatDoesNotShakeHands) {
  const env::Address address =
      listen({.address = kLocal, .tls = server_tls(), .handshake_timeout = 20ms});
  End& mute = open({.address = address});
  mute.wait_until([](const Heard& heard) { return heard.ended || heard.closed.has_value(); });
  EXPECT_EQ(count_.load(), 0);
}

TEST_F(TlsTest, TellsACutStreamFromAnEndedOne) {
  const env::Address address =
      listen({.address = kLocal, .tls = server_tls()},
             [](End& end, std::string_view) { end.stream().write("half of an answer"); });
  End& end = open({.address = address, .tls = client_tls()});
  write(client(), end, "x");
  end.wait_until([](const Heard& heard) { return !heard.received.empty(); });
  for (std::size_t i = 0; i < 2; ++i) {
    run_on(system_.env(i).loop, [this, i] { accepted_[i].clear(); });
  }
  EXPECT_EQ(end.wait_for_failure().code, Code::ServiceUnavailable);
}

}  // namespace
}  // namespace berth::runtime
