#include "client/config_service.h"

#include <gtest/gtest.h>

#include "env/files.h"
#include "sim/world.h"

namespace berth::client {
namespace {

constexpr std::string_view kFirst = R"(
current-context: one
clusters: [{name: c, cluster: {server: "https://one.example"}}]
contexts: [{name: one, context: {cluster: c}}, {name: two, context: {cluster: d}}]
)";
constexpr std::string_view kSecond = R"(
current-context: two
clusters: [{name: c, cluster: {server: "https://ignored.example"}},
           {name: d, cluster: {server: "https://two.example"}}]
)";

class ConfigFiles : public ::testing::Test {
 protected:
  ConfigFiles() {
    world_.add_node("machine").start([](std::span<env::Env>) { return std::make_shared<int>(0); });
    world_.run_for(std::chrono::milliseconds(1));
  }
  env::Env& env() { return world_.node("machine").process()->loops()[0]; }
  void write(const std::string& path, std::string_view text) {
    auto file = env().disk.open(path, {.mode = env::OpenMode::Create});
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_TRUE((*file)->write_at(0, text).ok());
  }
  Result<ClientConfig> load(const ConfigSources& sources) {
    return load_config(sources, env().disk, env().log);
  }

  sim::World world_{{}};
};

TEST_F(ConfigFiles, AreMergedInOrderAndMissingOnesSkipped) {
  write("/first", kFirst);
  write("/second", kSecond);
  EXPECT_EQ(load({.kubeconfig = {.kubeconfig = "/none:/first:/second"}})->server.host,
            "one.example");
  EXPECT_EQ(load({.kubeconfig = {.kubeconfig = "/first:/second"}, .overrides = {.context = "two"}})
                ->server.host,
            "two.example");
}

TEST_F(ConfigFiles, ANamedFileMustExist) {
  write("/first", kFirst);
  EXPECT_EQ(load({.kubeconfig = {.flag = "/first"}})->server.host, "one.example");
  const auto missing = load({.kubeconfig = {.flag = "/none", .kubeconfig = "/first"}});
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(missing.error().message.starts_with("/none: ")) << missing.error().message;
}

TEST_F(ConfigFiles, AllBrokenFilesAreNamed) {
  write("/a", "users: 1");
  write("/b", "clusters: 2");
  const auto broken = load({.kubeconfig = {.kubeconfig = "/a:/b"}});
  ASSERT_FALSE(broken.ok());
  EXPECT_TRUE(broken.error().message.contains("/a: users: ")) << broken.error().message;
  EXPECT_TRUE(broken.error().message.contains("; /b: clusters: "));
}

TEST_F(ConfigFiles, APodFindsItsOwnClusterLast) {
  const PodEnvironment pod{.service_host = "10.0.0.1", .service_port = "443"};
  ASSERT_TRUE(env().disk.create_directory("/var/run/secrets/kubernetes.io/serviceaccount").ok());
  write(kServiceAccountNamespace, "mine");
  const auto inside = load({.kubeconfig = {.home = "/root"}, .pod = pod});
  ASSERT_TRUE(inside.ok()) << inside.error().message;
  EXPECT_EQ(inside->server.host, "10.0.0.1");
  EXPECT_EQ(inside->ns, "mine");
  write("/first", kFirst);
  EXPECT_EQ(load({.kubeconfig = {.kubeconfig = "/first"}, .pod = pod})->server.host, "one.example");
  EXPECT_FALSE(load({.kubeconfig = {.flag = "/none"}, .pod = pod}).ok());
}

TEST_F(ConfigFiles, NothingIsNeverGuessed) {
  EXPECT_FALSE(load({.kubeconfig = {.home = "/root"}}).ok());
  EXPECT_FALSE(load({}).ok());
}

TEST_F(ConfigFiles, TheProxyOfTheFileWinsOverThatOfTheEnvironment) {
  write("/p", R"(
current-context: one
clusters:
- {name: c, cluster: {server: "https://one.example", proxy-url: "socks5://me:pw@proxy"}}
- {name: d, cluster: {server: "https://two.example"}}
contexts: [{name: one, context: {cluster: c}}, {name: two, context: {cluster: d}}])");
  const auto proxy = [this](const std::string& context, const std::string& no_proxy) {
    const auto config = load({.kubeconfig = {.flag = "/p"},
                              .overrides = {.context = context},
                              .proxies = {.https_proxy = "env:3128", .no_proxy = no_proxy}});
    return config->proxy ? config->proxy->name() : "direct";
  };
  EXPECT_EQ(proxy("one", ""), "socks5://proxy:1080");
  EXPECT_EQ(proxy("one", "*"), "socks5://proxy:1080") << "NO_PROXY is about the environment's own";
  EXPECT_EQ(proxy("two", ""), "http://env:3128");
  EXPECT_EQ(proxy("two", ".example"), "direct");
}

TEST_F(ConfigFiles, AProxyThatCannotBeReadIsNamedWithoutItsPassword) {
  write("/p", R"(
current-context: one
clusters: [{name: c, cluster: {server: "https://one.example", proxy-url: "ftp://me:pw@proxy"}}]
contexts: [{name: one, context: {cluster: c}}])");
  const auto config = load({.kubeconfig = {.flag = "/p"}});
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().message,
            "cluster \"c\" (/p): proxy-url: proxy \"ftp://proxy\": expected http, https, socks5 "
            "or socks5h");
}

}  // namespace
}  // namespace berth::client
