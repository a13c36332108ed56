#include "runtime/channel_bio.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "runtime/fd.h"
#include "runtime/testing/certificates.h"
#include "runtime/testing/ends.h"
#include "runtime/tls_channel.h"

namespace berth::runtime {
namespace {

using testing::Authority;
using testing::Awaited;
using testing::End;

constexpr std::string_view kOuterName = "proxy.test";
constexpr std::string_view kInnerName = "hub.test";

// Both sides of two handshakes, one inside the other.
struct Nested {
  Nested() {
    int ends[2];
    CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    client_fd = Fd(ends[0]);
    server_fd = Fd(ends[1]);
    client = make_plain_channel(ends[0]);
    server = make_plain_channel(ends[1]);
    wrap(std::string(kOuterName));
    wrap(std::string(kInnerName));
  }

  void wrap(const std::string& name) {
    const auto ours = *TlsContext::for_client({.authorities_pem = authority.pem()});
    const auto theirs = *TlsContext::for_server({.identity = authority.issue(name, "DNS:" + name)});
    client = ours->open(std::move(client), name);
    server = theirs->open(std::move(server), "");
    Progress client_progress;
    Progress server_progress;
    for (int turn = 0; turn < 10; ++turn) {
      client_progress = client->handshake();
      server_progress = server->handshake();
    }
    CHECK(client_progress.need == Need::Nothing && server_progress.need == Need::Nothing);
  }

  Authority authority{"ca"};
  Fd client_fd;
  Fd server_fd;
  std::unique_ptr<Channel> client;
  std::unique_ptr<Channel> server;
};

TEST(ChannelBio, CarriesTlsInsideTls) {
  const Nested nested;
  env::Peer peer;
  nested.client->describe(peer);
  EXPECT_EQ(testing::common_name_of(peer.certificates.at(0)), kInnerName);

  EXPECT_EQ(nested.client->write("hello").bytes, 5u);
  std::string buffer(3, '\0');
  EXPECT_EQ(nested.server->read(buffer).bytes, 3u);
  EXPECT_TRUE(nested.server->has_pending()) << "the rest of the record is inside";
  EXPECT_EQ(nested.server->read(buffer).bytes, 2u);
  EXPECT_FALSE(nested.server->has_pending());
  EXPECT_EQ(nested.server->read(buffer).need, Need::Readability);
  EXPECT_EQ(nested.client->end().need, Need::Nothing);
  EXPECT_EQ(nested.server->read(buffer).need, Need::End);
}

TEST(ChannelBio, PassesOnWhatTheChannelBelowSays) {
  Nested nested;
  nested.server.reset();
  ::shutdown(nested.server_fd.number(), SHUT_RDWR);
  std::string buffer(10, '\0');
  const Progress cut = nested.client->read(buffer);
  EXPECT_EQ(cut.need, Need::Failure) << "a cut is no orderly end";
  EXPECT_FALSE(cut.error.message.empty());
}

// Streams that begin as plain bytes, or as TLS, and become TLS (again) on one side of a relay.
class SecureTest : public ::testing::Test {
 protected:
  ~SecureTest() override {
    run_on(env().loop, [this] {
      listeners_.clear();
      ends_.clear();
    });
  }
  env::Env& env() { return system_.env(0); }

  // Accepts, and gives each stream's bytes back.
  env::Address echo(env::TlsServer tls) {
    return listen(std::move(tls), [this](std::unique_ptr<env::Stream> stream) {
      ends_.push_back(std::make_unique<End>(
          std::move(stream), [](End& end, std::string_view bytes) { end.stream().write(bytes); }));
    });
  }
  // Accepts, and passes everything on to another address.
  env::Address relay(env::TlsServer tls, const env::Address& to) {
    return listen(std::move(tls), [this, to](std::unique_ptr<env::Stream> stream) {
      auto held = std::make_shared<std::unique_ptr<env::Stream>>(std::move(stream));
      env().network.connect({.address = to}, [this, held](auto connected) {
        CHECK(connected.ok());
        auto far = std::make_shared<End*>(nullptr);
        ends_.push_back(std::make_unique<End>(
            std::move(*held),
            [far](End&, std::string_view bytes) { (*far)->stream().write(bytes); }));
        End* near = ends_.back().get();
        ends_.push_back(std::make_unique<End>(
            std::move(*connected),
            [near](End&, std::string_view bytes) { near->stream().write(bytes); }));
        *far = ends_.back().get();
      });
    });
  }
  env::Address listen(env::TlsServer tls,
                      std::function<void(std::unique_ptr<env::Stream>)> accepted) {
    env::Address address;
    run_on(env().loop, [&] {
      std::vector<env::Seat> seats;
      seats.push_back({&env().network, std::move(accepted)});
      listeners_.push_back(
          env()
              .network
              .listen({.address = {.host = "127.0.0.1"}, .tls = std::move(tls)}, std::move(seats))
              .value());
      address = listeners_.back()->address();
    });
    return address;
  }
  Result<std::unique_ptr<env::Stream>> secure(std::unique_ptr<env::Stream> stream,
                                              env::SecureOptions options) {
    Awaited<Result<std::unique_ptr<env::Stream>>> outcome;
    run_on(env().loop, [&] {
      env().network.secure(std::move(stream), std::move(options),
                           [&](auto secured) { outcome.put(std::move(secured)); });
    });
    return outcome.take();
  }
  End& keep(std::unique_ptr<env::Stream> stream) {
    End* end = nullptr;
    run_on(env().loop, [&] {
      ends_.push_back(std::make_unique<End>(std::move(stream)));
      end = ends_.back().get();
    });
    return *end;
  }
  env::TlsServer identity(std::string_view name) {
    return {.identity = authority_.issue(std::string(name), "DNS:" + std::string(name)),
            .protocols = {"h2"}};
  }

  Authority authority_{"ca"};
  System system_{{.loops = 1, .workers = 1, .log = {.level = env::Level::Error}}};
  std::vector<std::unique_ptr<env::Listener>> listeners_;
  std::vector<std::unique_ptr<End>> ends_;
};

TEST_F(SecureTest, AWayThroughATlsRelayCarriesTlsToTheServer) {
  const env::Address proxy = relay(identity(kOuterName), echo(identity(kInnerName)));
  auto outer =
      testing::connect(env(), {.address = proxy,
                               .tls = env::TlsClient{.authorities_pem = authority_.pem(),
                                                     .server_name = std::string(kOuterName)}});
  ASSERT_TRUE(outer.ok()) << outer.error().message;
  auto inner = secure(*std::move(outer), {.tls = {.authorities_pem = authority_.pem(),
                                                  .server_name = std::string(kInnerName),
                                                  .protocols = {"h2"}}});
  ASSERT_TRUE(inner.ok()) << inner.error().message;
  EXPECT_EQ((*inner)->peer().protocol, "h2");
  EXPECT_EQ(testing::common_name_of((*inner)->peer().certificates.at(0)), kInnerName);

  // Long enough for records that are cut in two at every layer, and for turns that end early.
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += std::to_string(i);
  End& end = keep(*std::move(inner));
  run_on(env().loop, [&] { end.stream().write(text); });
  const auto heard = end.wait_until(
      [&](const testing::Heard& all) { return all.received.size() >= text.size() || all.closed; });
  EXPECT_TRUE(heard.received == text);
}

TEST_F(SecureTest, TheServerInsideIsVerified) {
  const env::Address server = echo(identity(kInnerName));
  auto plain = testing::connect(env(), {.address = server});
  ASSERT_TRUE(plain.ok());
  const auto inner =
      secure(*std::move(plain),
             {.tls = {.authorities_pem = authority_.pem(), .server_name = "somebody.else"}});
  ASSERT_FALSE(inner.ok());
  EXPECT_EQ(inner.error().code, Code::Unauthorized);
}

TEST_F(SecureTest, BytesThatWaitToBeSentAreAnError) {
  const env::Address server = echo(identity(kInnerName));
  auto plain = testing::connect(env(), {.address = server});
  std::unique_ptr<env::Stream> stream = *std::move(plain);
  Awaited<Result<std::unique_ptr<env::Stream>>> outcome;
  run_on(env().loop, [&] {
    stream->write("x");  // Leaves with the loop's next turn.
    env().network.secure(std::move(stream), {.tls = {.server_name = "x"}},
                         [&](auto secured) { outcome.put(std::move(secured)); });
  });
  EXPECT_FALSE(outcome.take().ok());
}

TEST_F(SecureTest, ASilentPeerIsGivenUp) {
  // A socket that nobody accepts from: the kernel completes the connection, and that is all.
  const Fd silent(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(silent.number(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(silent.number(), 1), 0);
  socklen_t length = sizeof address;
  ::getsockname(silent.number(), reinterpret_cast<sockaddr*>(&address), &length);
  auto plain =
      testing::connect(env(), {.address = {.host = "127.0.0.1", .port = ntohs(address.sin_port)}});
  ASSERT_TRUE(plain.ok());
  const auto inner =
      secure(*std::move(plain), {.tls = {.authorities_pem = authority_.pem(), .server_name = "x"},
                                 .handshake_timeout = std::chrono::milliseconds(50)});
  ASSERT_FALSE(inner.ok());
  EXPECT_EQ(inner.error().code, Code::Timeout);
}

}  // namespace
}  // namespace berth::runtime
