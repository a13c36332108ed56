// A real server through proxies, with real TLS inside the tunnels.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "client/testing/proxy_server_service.h"
#include "kube/blocking_api.h"
#include "kube/contents.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using client::testing::ProxyProtocol;
using client::testing::ProxyServer;
using client::testing::ProxyServerOptions;

const client::ResourcePath kConfigMaps = {.resource = {.version = "v1", .resource = "configmaps"},
                                          .ns = "default"};

class Proxies : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  void TearDown() override { stop_proxy(); }

  void start_proxy(ProxyServerOptions options) {
    stop_proxy();
    options.listen = {.host = "127.0.0.1"};
    runtime::run_on(env().loop, [&] { proxy_ = std::make_unique<ProxyServer>(env(), options); });
  }
  void stop_proxy() {
    runtime::run_on(env().loop, [&] { proxy_.reset(); });
  }
  std::size_t tunnels() {
    std::size_t count = 0;
    runtime::run_on(env().loop, [&] { count = proxy_->targets().size(); });
    return count;
  }

  // The administrator's kubeconfig, with that proxy. It lies beside the original.
  fs::path kubeconfig(std::string_view scheme, std::string_view login) {
    std::uint16_t port = 0;
    runtime::run_on(env().loop, [&] { port = proxy_->address().port; });
    std::string text = contents(server_->kubeconfig());
    text.insert(text.find("    server: "),
                fmt::format("    proxy-url: {}://{}127.0.0.1:{}\n", scheme, login, port));
    const fs::path path = server_->folder() / "proxied.kubeconfig";
    std::ofstream(path) << text;
    return path;
  }

  // The cluster's authority vouches for the proxy too.
  env::TlsServer identity() const {
    const fs::path pki = server_->folder() / "pki";
    return {.identity = {.certificates_pem = contents(pki / "server.crt"),
                         .key_pem = contents(pki / "server.key")}};
  }

  env::Env& env() { return system_.env(0); }

  std::unique_ptr<Server> server_;
  runtime::System system_{{.loops = 1, .workers = 1, .log = {.level = env::Level::Error}}};
  std::unique_ptr<ProxyServer> proxy_;
};

TEST_F(Proxies, LeadToARealServer) {
  struct Case {
    std::string_view scheme;
    std::string_view login;
    ProxyServerOptions options;
  };
  const Case cases[] = {
      {"http", "", {}},
      {"http", "me:s3cret@", {.username = "me", .password = "s3cret"}},
      {"https", "me:s3cret@", {.tls = identity(), .username = "me", .password = "s3cret"}},
      {"socks5", "", {.protocol = ProxyProtocol::Socks5}},
      {"socks5h",
       "me:s3cret@",
       {.protocol = ProxyProtocol::Socks5, .username = "me", .password = "s3cret"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(fmt::format("{}://{}", c.scheme, c.login));
    start_proxy(c.options);
    BlockingApi api(kubeconfig(c.scheme, c.login));
    const auto listed = api.list(kConfigMaps);
    ASSERT_TRUE(listed.ok()) << listed.error().message;
    // Much, so that records are cut in two on the way.
    const std::string name = fmt::format("through-{}-{}", c.scheme, c.login.size());
    const json::Value object =
        json::Value::object({{"metadata", json::Value::object({{"name", name}})},
                             {"data", json::Value::object({{"text", std::string(900'000, 'x')}})}});
    ASSERT_TRUE(api.create(kConfigMaps, object).ok());
    client::ResourcePath path = kConfigMaps;
    path.name = name;
    const auto read = api.get(path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->find_path({"data", "text"})->string_or_empty().size(), 900'000u);
    EXPECT_EQ(tunnels(), 1u);
  }
}

TEST_F(Proxies, SayWhyTheyDoNotLetUsThrough) {
  start_proxy({.username = "me", .password = "s3cret"});
  BlockingApi api(kubeconfig("http", "me:wr0ng@"), {.call = {.retry = {.attempts_max = 1}}});
  const auto listed = api.list(kConfigMaps);
  ASSERT_FALSE(listed.ok());
  EXPECT_TRUE(listed.error().message.contains("407")) << listed.error().message;
  EXPECT_FALSE(listed.error().message.contains("wr0ng")) << listed.error().message;
}

}  // namespace
}  // namespace berth::kube
