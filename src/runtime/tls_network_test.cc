// TLS on real sockets: who is let in, and what each side is told of the other.

#include <string>

#include <gtest/gtest.h>

#include "runtime/testing/certificates.h"
#include "runtime/testing/socket_ends.h"

namespace berth::runtime {
namespace {

using namespace std::chrono_literals;
using testing::Authority;
using testing::connect;
using testing::echo;
using testing::End;
using testing::has;
using testing::Heard;
using testing::kLocal;

class TlsTest : public testing::SocketNetworkTest {
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
