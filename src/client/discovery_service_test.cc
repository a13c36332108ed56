#include "client/discovery_service.h"

#include <optional>

#include <gtest/gtest.h>

#include "client/errors.h"
#include "client/testing/model_server_service.h"
#include "sim/world.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using testing::ModelServer;
using testing::ModelServerOptions;
using testing::ModelStore;

using Pages = std::map<std::string, ModelServerOptions::Page>;

constexpr const char* kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
constexpr const char* kCore = R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{},
  "versions":[{"version":"v1","resources":[{"resource":"pods","responseKind":{"kind":"Pod"},
  "scope":"Namespaced","singularResource":"pod"}]}]}]})";
constexpr const char* kNoGroups = R"({"kind":"APIGroupDiscoveryList","items":[]})";
constexpr const char* kThings = R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":
  {"name":"g"},"versions":[{"version":"v1","resources":[{"resource":"things",
  "responseKind":{"kind":"Thing"},"scope":"Cluster"}]}]}]})";

class DiscoveryWorld : public ::testing::Test {
 protected:
  void start(Pages pages) {
    pages_ = std::move(pages);
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      auto server = std::make_shared<ModelServer>(
          loops[0], store_, ModelServerOptions{.page = [this](const std::string& path) {
            const auto found = pages_.find(path);
            return found == pages_.end() ? std::nullopt : std::optional(found->second);
          }});
      server_ = server.get();
      return server;
    });
    world_.add_node("client").start([this](std::span<env::Env> loops) {
      auto api = std::make_shared<Api>(loops[0], testing::model_config("http"), ApiOptions{});
      auto discovery = std::make_shared<DiscoveryService>(*api, loops[0].clock);
      discovery_ = discovery.get();
      return std::make_shared<std::pair<std::shared_ptr<Api>, std::shared_ptr<DiscoveryService>>>(
          api, discovery);
    });
    world_.run_for(1us);
  }
  Result<ResourceInfo> resolve(const std::string& name) {
    std::optional<Result<ResourceInfo>> answer;
    discovery_->resolve(name, [&](Result<ResourceInfo> found) { answer = std::move(found); });
    world_.run_until([&] { return answer.has_value(); }, 1min);
    return answer.value();
  }

  sim::World world_{{}};
  ModelStore store_;
  Pages pages_;
  ModelServer* server_ = nullptr;
  DiscoveryService* discovery_ = nullptr;
};

TEST_F(DiscoveryWorld, AsksOnceAndRemembers) {
  start({{"/api", {kAggregated, kCore}}, {"/apis", {kAggregated, kNoGroups}}});
  EXPECT_EQ(resolve("pod")->gvr.resource, "pods");
  EXPECT_EQ(resolve("pods")->kind, "Pod");
  EXPECT_EQ(server_->requests(), 2u);
  world_.run_for(11min);
  EXPECT_TRUE(resolve("pods").ok());
  EXPECT_EQ(server_->requests(), 4u) << "nothing is true for ever";
}

TEST_F(DiscoveryWorld, AMissIsLookedForOnceMoreButNotAllTheTime) {
  start({{"/api", {kAggregated, kCore}}, {"/apis", {kAggregated, kNoGroups}}});
  EXPECT_TRUE(is_not_found(resolve("things").error()));
  EXPECT_TRUE(is_not_found(resolve("things").error()));
  EXPECT_EQ(server_->requests(), 2u) << "it was asked a moment ago";
  pages_["/apis"] = {kAggregated, kThings};
  world_.run_for(6s);
  EXPECT_EQ(resolve("things")->gvr.group, "g");
}

TEST_F(DiscoveryWorld, AnOldServerIsAskedGroupByGroup) {
  constexpr const char* kPlain = "application/json";
  start({{"/api", {kPlain, R"({"kind":"APIVersions","versions":["v1"]})"}},
         {"/apis", {kPlain, R"({"kind":"APIGroupList","groups":[
            {"name":"g","versions":[{"version":"v1"}]},
            {"name":"broken","versions":[{"version":"v1"}]}]})"}},
         {"/api/v1", {kPlain, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
            {"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod"}]})"}},
         {"/apis/g/v1", {kPlain, R"({"kind":"APIResourceList","groupVersion":"g/v1","resources":[
            {"name":"things","kind":"Thing"}]})"}}});
  EXPECT_EQ(resolve("things")->gvr.group, "g") << "one broken group hides no other";
  EXPECT_TRUE(resolve("pod")->namespaced);
  EXPECT_EQ(server_->requests(), 5u);
}

TEST_F(DiscoveryWorld, AServerThatSaysNoIsReported) {
  start({});
  EXPECT_TRUE(is_not_found(resolve("pods").error()));
}

}  // namespace
}  // namespace berth::client
