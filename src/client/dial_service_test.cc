// The whole client through proxies, in the simulator.

#include "client/dial_service.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/api_service.h"
#include "client/testing/model_server_service.h"
#include "client/testing/proxy_server_service.h"
#include "sim/world.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using testing::model_config;
using testing::model_tls;
using testing::ModelServer;
using testing::ModelServerOptions;
using testing::ModelStore;
using testing::ProxyProtocol;
using testing::ProxyServer;
using testing::ProxyServerOptions;

const ResourcePath kMaps{.resource = {.version = "v1", .resource = "configmaps"}, .ns = "default"};

// A server, a proxy, and a client that is told to use it.
class ProxiedWorld {
 public:
  ProxiedWorld(std::string_view scheme, std::string_view proxy_url,
               const ProxyServerOptions& options) {
    for (int i = 0; i < 3; ++i) store_.put("object-" + std::to_string(i));
    world.add_node("server").start([this, scheme](std::span<env::Env> loops) {
      return std::make_shared<ModelServer>(loops[0], store_,
                                           ModelServerOptions{.tls = model_tls(scheme)});
    });
    world.add_node("proxy").start([this, options](std::span<env::Env> loops) {
      auto started = std::make_shared<ProxyServer>(loops[0], options);
      proxy = started.get();
      return started;
    });
    ClientConfig config = model_config(scheme);
    config.proxy = http::parse_proxy(proxy_url).value();
    world.add_node("client").start([this, config](std::span<env::Env> loops) {
      auto started = std::make_shared<Api>(loops[0], config,
                                           ApiOptions{.call = {.retry = {.attempts_max = 1}}});
      api = started.get();
      return started;
    });
    world.run_for(1us);
  }

  // The number of objects, or the error.
  std::string list() {
    std::optional<Result<json::Value>> answer;
    api->list(kMaps, {}, [&](Result<json::Value> result) { answer = std::move(result); });
    EXPECT_TRUE(world.run_until([&] { return answer.has_value(); }, 2min));
    if (!answer) return "nothing";
    return answer->ok() ? std::to_string((*answer)->find("items")->size())
                        : answer->error().message;
  }

  bool logged(std::string_view text) {
    for (const std::string& line : world.log().lines()) {
      if (line.contains(text)) return true;
    }
    return false;
  }

  sim::World world{{}};
  ProxyServer* proxy = nullptr;
  Api* api = nullptr;

 private:
  ModelStore store_;
};

class ThroughProxy : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Servers, ThroughProxy, ::testing::Values("http", "https"));

TEST_P(ThroughProxy, TheServerIsReachedWhateverTheProxySpeaks) {
  struct Case {
    std::string_view url;
    ProxyServerOptions options;
  };
  const Case cases[] = {
      {"http://proxy:3128", {}},
      {"http://me:s3cret@proxy:3128", {.username = "me", .password = "s3cret"}},
      {"socks5://proxy:3128", {.protocol = ProxyProtocol::Socks5}},
      {"socks5h://me:s3cret@proxy:3128",
       {.protocol = ProxyProtocol::Socks5, .username = "me", .password = "s3cret"}},
      {"socks5://me:s3cret@proxy:3128", {.protocol = ProxyProtocol::Socks5}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.url);
    ProxiedWorld world(GetParam(), c.url, c.options);
    EXPECT_EQ(world.list(), "3");
    EXPECT_EQ(world.list(), "3") << "on the same connection";
    EXPECT_EQ(world.proxy->targets(), std::vector<std::string>{"server:6443"});
  }
}

TEST(ThroughHttpsProxy, TlsToTheServerIsInsideTlsToTheProxy) {
  ProxiedWorld world("https", "https://me:s3cret@proxy:3128",
                     {.tls = model_tls("https"), .username = "me", .password = "s3cret"});
  EXPECT_EQ(world.list(), "3");
}

TEST(ThroughHttpsProxy, AProxyOfAnotherAuthorityIsNotTrusted) {
  const std::string other = "-----BEGIN CERTIFICATE-----\nb3RoZXI=\n-----END CERTIFICATE-----\n";
  ProxiedWorld world("https", "https://proxy:3128",
                     {.tls = env::TlsServer{.identity = {.certificates_pem = other}}});
  EXPECT_EQ(world.list(),
            "proxy https://proxy:3128: TLS handshake: the peer's certificate: unable to get local "
            "issuer certificate");
}

TEST_P(ThroughProxy, ErrorsNameTheProxyAndItsAnswerButNoSecret) {
  struct Case {
    std::string_view url;
    ProxyServerOptions options;
    std::string_view error;
  };
  const std::string reply("\5\0\0\1\0\0\0\0\0\0", 10);
  const Case cases[] = {
      {"http://proxy:3128",
       {.username = "me"},
       "proxy http://proxy:3128: the answer to CONNECT is 407 Proxy Authentication Required: its "
       "URL has no credentials"},
      {"http://me:wr0ng@proxy:3128",
       {.username = "me", .password = "s3cret"},
       "proxy http://proxy:3128: the answer to CONNECT is 407 Proxy Authentication Required: it "
       "does not accept the credentials of its URL"},
      {"http://me:wr0ng@proxy:3128",
       {.answer = "HTTP/1.1 503 Down\r\n\r\n"},
       "proxy http://proxy:3128: the answer to CONNECT is 503 Service Unavailable"},
      {"http://me:wr0ng@proxy:3128",
       {.answer = "-"},
       "proxy http://proxy:3128: it closed the connection instead of an answer"},
      {"http://me:wr0ng@proxy:3128",
       {.answer = "."},
       "proxy http://proxy:3128: it does not answer"},
      {"http://me:wr0ng@proxy:1",
       {},
       "proxy http://proxy:1: connect to proxy:1: Connection refused"},
      {"http://me:wr0ng@nowhere:1", {}, "proxy http://nowhere:1: resolve nowhere: no such host"},
      {"socks5://me:wr0ng@proxy:3128",
       {.protocol = ProxyProtocol::Socks5, .username = "me", .password = "s3cret"},
       "proxy socks5://proxy:3128: SOCKS5: the proxy does not accept the credentials of its URL"},
      {"socks5://proxy:3128",
       {.protocol = ProxyProtocol::Socks5, .username = "me"},
       "proxy socks5://proxy:3128: SOCKS5: the proxy wants a login, and its URL has no "
       "credentials"},
      {"socks5://me:wr0ng@proxy:3128", {}, "proxy socks5://proxy:3128: it does not answer"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.url);
    ProxiedWorld world(GetParam(), c.url, c.options);
    EXPECT_EQ(world.list(), c.error);
    EXPECT_FALSE(world.logged("wr0ng"));
    EXPECT_TRUE(world.logged("client.connect_failed"));
  }
}

TEST_P(ThroughProxy, AServerThatIsDownIsTheProxysToTell) {
  ProxiedWorld http(GetParam(), "http://proxy:3128", {});
  http.world.node("server").crash(sim::Crash::Process);
  EXPECT_EQ(http.list(), "proxy http://proxy:3128: the answer to CONNECT is 502 Bad Gateway");
  http.world.node("server").restart();
  EXPECT_EQ(http.list(), "3") << "the client is as good as new";
  ProxiedWorld socks(GetParam(), "socks5://proxy:3128", {.protocol = ProxyProtocol::Socks5});
  socks.world.node("server").crash(sim::Crash::Process);
  EXPECT_EQ(socks.list(),
            "proxy socks5://proxy:3128: SOCKS5: the proxy replies 5 (connection refused)");
}

}  // namespace
}  // namespace berth::client
