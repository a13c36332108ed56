#include "scores/generators/probes/probe_service.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/testing/ends.h"
#include "sim/world.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using sim::testing::End;
using ::testing::HasSubstr;

constexpr std::string_view kPem =
    "-----BEGIN CERTIFICATE-----\nc2VydmVy\n-----END CERTIFICATE-----\n";

// Answers every request with the same text after some time.
class Target {
 public:
  Target(env::Env& env, std::string answer, Duration delay, std::optional<env::TlsServer> tls)
      : server_(env,
                [this, &env, answer = std::move(answer), delay](End& end, std::string_view) {
                  received = end.received;
                  timer_ = env::after(env.loop, env.clock, delay,
                                      [&end, answer] { end.stream->write(answer); });
                },
                {.address = {.host = "", .port = 80}, .tls = std::move(tls)}) {}

  std::string received;

 private:
  env::Timer timer_ = {};
  sim::testing::Server server_;
};

struct Prober {
  Prober(env::Env& env, ProbeRequest request) {
    run = std::make_unique<ProbeRun>(ProbeRun::World{env.clock, env.loop, env.network},
                                     std::move(request), [this](Result<Timings> result) {
                                       outcome = std::move(result);
                                       run = nullptr;
                                     });
  }
  std::unique_ptr<ProbeRun> run;
  std::optional<Result<Timings>> outcome;
};

class ProbeTest : public ::testing::Test {
 protected:
  void serve(const std::string& host, std::string answer, Duration delay = 0s,
             std::optional<env::TlsServer> tls = std::nullopt) {
    world_.add_node(host).start([this, answer, delay, tls](std::span<env::Env> loops) {
      auto target = std::make_shared<Target>(loops[0], answer, delay, tls);
      target_ = target.get();
      return target;
    });
    world_.run_for(1ms);
  }

  Result<Timings> probe(Method method, const std::string& host, AddressRules rules = {},
                        std::string authorities_pem = {}) {
    Prober* prober = nullptr;
    const ProbeRequest request{.location = {.method = method,
                                            .host = host,
                                            .port = 80,
                                            .authority = host,
                                            .target = "/path?q=1"},
                               .timeout = 2s,
                               .rules = std::move(rules),
                               .authorities_pem = std::move(authorities_pem)};
    world_.add_node("agent" + std::to_string(++agents_)).start([&](std::span<env::Env> loops) {
      auto started = std::make_shared<Prober>(loops[0], request);
      prober = started.get();
      return started;
    });
    EXPECT_TRUE(world_.run_until([&] { return prober && prober->outcome; }, 10s));
    return *prober->outcome;
  }

  sim::World world_{sim::WorldOptions{}};
  Target* target_ = nullptr;
  int agents_ = 0;
};

constexpr const char* kOk = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
constexpr const char* kHost = "192.0.2.10";

TEST_F(ProbeTest, MeasuresEachPartOfAnHttpRequestApart) {
  serve(kHost, kOk, 30ms);
  const auto timings = probe(Method::Http, kHost);
  ASSERT_TRUE(timings.ok()) << timings.error().message;
  EXPECT_GT(timings->resolve, 0s);
  EXPECT_GT(timings->connect, 0s);
  EXPECT_LT(timings->connect, 2ms);
  EXPECT_EQ(timings->tls, 0s);
  EXPECT_GE(timings->first_byte, 30ms);
  EXPECT_LT(timings->first_byte, 33ms);
}

TEST_F(ProbeTest, AsksForThePathWithoutCredentials) {
  serve(kHost, kOk);
  ASSERT_TRUE(probe(Method::Http, kHost).ok());
  EXPECT_THAT(target_->received, HasSubstr("GET /path?q=1 HTTP/1.1\r\n"));
  EXPECT_THAT(target_->received, HasSubstr("host: 192.0.2.10"));
  EXPECT_THAT(target_->received, ::testing::Not(HasSubstr("authorization")));
}

TEST_F(ProbeTest, MeasuresTheHandshakeOfHttps) {
  serve(kHost, kOk, 30ms,
        env::TlsServer{
            .identity = {.certificates_pem = std::string(kPem), .key_pem = std::string(kPem)},
            .protocols = {"http/1.1"}});
  const auto timings = probe(Method::Https, kHost, {}, std::string(kPem));
  ASSERT_TRUE(timings.ok()) << timings.error().message;
  EXPECT_GT(timings->tls, 0s);
  EXPECT_LT(timings->tls, 5ms);
  EXPECT_GE(timings->first_byte, 30ms);
}

TEST_F(ProbeTest, DoesNotSpeakToAServerThatNobodyVouchesFor) {
  serve(kHost, kOk, 0s,
        env::TlsServer{
            .identity = {.certificates_pem = std::string(kPem), .key_pem = std::string(kPem)}});
  const std::string other = "-----BEGIN CERTIFICATE-----\nb3RoZXI=\n-----END CERTIFICATE-----\n";
  EXPECT_EQ(probe(Method::Https, kHost, {}, other).error().code, Code::Unauthorized);
  EXPECT_EQ(target_->received, "");
}

TEST_F(ProbeTest, MeasuresTcpAndDnsAlone) {
  serve(kHost, kOk, 30ms);
  const auto tcp = probe(Method::Tcp, kHost);
  ASSERT_TRUE(tcp.ok()) << tcp.error().message;
  EXPECT_GT(tcp->connect, 0s);
  EXPECT_EQ(tcp->first_byte, 0s);
  const auto dns = probe(Method::Dns, kHost);
  ASSERT_TRUE(dns.ok()) << dns.error().message;
  EXPECT_GT(dns->resolve, 0s);
  EXPECT_EQ(dns->connect, 0s);
  EXPECT_EQ(target_->received, "");
}

TEST_F(ProbeTest, ConnectsOnlyToAddressesThatArePermitted) {
  serve("127.0.0.9", kOk);
  const auto refused = probe(Method::Tcp, "127.0.0.9");
  EXPECT_EQ(refused.error().code, Code::Forbidden);
  EXPECT_THAT(refused.error().message, HasSubstr("--probe-allow=127.0.0.9"));
  EXPECT_EQ(probe(Method::Http, "localhost").error().code, Code::Forbidden);
  const AddressRules rules{.allowed = read_networks({"127.0.0.0/8"}).value()};
  EXPECT_TRUE(probe(Method::Tcp, "127.0.0.9", rules).ok());
}

TEST_F(ProbeTest, DoesNotConnectToWhatIsNoAddress) {
  serve("strange", kOk);
  EXPECT_EQ(probe(Method::Tcp, "strange").error().code, Code::Forbidden);
}

TEST_F(ProbeTest, DoesNotFollowRedirects) {
  serve(kHost, "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\n\r\n");
  const auto timings = probe(Method::Http, kHost);
  EXPECT_TRUE(timings.ok()) << timings.error().message;
}

TEST_F(ProbeTest, TakesAServerErrorForAFailure) {
  serve(kHost, "HTTP/1.1 503 Service Unavailable\r\n\r\n");
  EXPECT_THAT(probe(Method::Http, kHost).error().message, HasSubstr("it answered 503"));
}

TEST_F(ProbeTest, FailsOnWhatIsNoAnswer) {
  serve("192.0.2.11", "SSH-2.0-OpenSSH_9.2\r\n\r\n");
  EXPECT_FALSE(probe(Method::Http, "192.0.2.11").ok());
  serve("192.0.2.12", "HTTP/1.1 200 OK\r\nx: " + std::string(200'000, 'x') + "\r\n\r\n");
  EXPECT_FALSE(probe(Method::Http, "192.0.2.12").ok());
}

TEST_F(ProbeTest, GivesUpAfterItsTimeAndSaysAtWhat) {
  serve(kHost, kOk, 10s);
  const auto late = probe(Method::Http, kHost);
  EXPECT_EQ(late.error().code, Code::Timeout);
  EXPECT_EQ(late.error().message, "timed out after 2000 ms while waiting for the answer");
}

TEST_F(ProbeTest, SaysThatNobodyIsThere) {
  EXPECT_THAT(probe(Method::Dns, "192.0.2.99").error().message, HasSubstr("no such host"));
  world_.add_node(kHost);
  EXPECT_THAT(probe(Method::Tcp, kHost).error().message, HasSubstr("refused"));
}

}  // namespace
}  // namespace berth::scores
