// The client on a real kube-apiserver: verbs, errors, pages, patches, discovery, watches, restarts.

#include <chrono>
#include <functional>
#include <future>
#include <optional>

#include <gtest/gtest.h>

#include "client/api_service.h"
#include "client/config_service.h"
#include "client/discovery_service.h"
#include "client/errors.h"
#include "client/informer_service.h"
#include "client/patch_builder.h"
#include "json/parse.h"
#include "kube/server.h"
#include "runtime/system.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;

const ResourcePath kMaps{.resource = {.version = "v1", .resource = "configmaps"}, .ns = "default"};

ResourcePath map_named(const std::string& name) {
  ResourcePath path = kMaps;
  path.name = name;
  return path;
}

json::Value map_of(const std::string& name) {
  json::Value object = json::parse(R"({"apiVersion":"v1","kind":"ConfigMap",
    "metadata":{"labels":{"test":"client"}},"data":{"k":"v"}})")
                           .value();
  object["metadata"]["name"] = name;
  return object;
}

class ClientOnKube : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = kube::Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  static void TearDownTestSuite() { server_.reset(); }

  void SetUp() override {
    on_loop([&] {
      auto config = load_config({.kubeconfig = {.flag = server_->kubeconfig().string()}},
                                env().disk, env().log);
      ASSERT_TRUE(config.ok()) << config.error().message;
      api_ = std::make_unique<Api>(
          env(), *config,
          ApiOptions{.user_agent = "berth-test/1 (linux/amd64)", .rate = {.per_second = -1}});
    });
  }
  void TearDown() override {
    on_loop([&] {
      informer_.reset();
      discovery_.reset();
      api_.reset();
    });
  }

  env::Env& env() { return system_.env(0); }
  void on_loop(std::function<void()> task) {
    runtime::run_on(env().loop, [&] { task(); });
  }

  // Starts something on the loop and waits for its callback.
  template <typename T>
  Result<T> wait(std::function<void(std::move_only_function<void(Result<T>)>)> start) {
    std::promise<Result<T>> promise;
    auto future = promise.get_future();
    on_loop([&] { start([&](Result<T> result) { promise.set_value(std::move(result)); }); });
    if (future.wait_for(30s) != std::future_status::ready) {
      ADD_FAILURE() << "no answer";
      std::abort();  // The callback still points here.
    }
    return future.get();
  }
  Result<json::Value> get(const std::string& name) {
    return wait<json::Value>([&](Done done) { api_->get(map_named(name), std::move(done)); });
  }
  Result<json::Value> create(const std::string& name, WriteOptions options = {}) {
    return wait<json::Value>(
        [&](Done done) { api_->create(kMaps, map_of(name), options, std::move(done)); });
  }
  Result<json::Value> patch(const std::string& name, const json::Value& change,
                            PatchOptions options) {
    return wait<json::Value>(
        [&](Done done) { api_->patch(map_named(name), change, options, std::move(done)); });
  }
  // Asks on the loop until it holds.
  bool eventually(std::function<bool()> holds, std::chrono::seconds at_most = 30s) {
    const auto end = std::chrono::steady_clock::now() + at_most;
    while (std::chrono::steady_clock::now() < end) {
      bool now = false;
      on_loop([&] { now = holds(); });
      if (now) return true;
    }
    return false;
  }

  static inline std::unique_ptr<kube::Server> server_;
  runtime::System system_{{.loops = 1, .workers = 1}};
  std::unique_ptr<Api> api_;
  std::unique_ptr<DiscoveryService> discovery_;
  std::unique_ptr<InformerService> informer_;
};

TEST_F(ClientOnKube, CreatesReadsPatchesAndDeletes) {
  const auto created = create("one");
  ASSERT_TRUE(created.ok()) << created.error().message;
  EXPECT_TRUE(is_already_exists(create("one").error()));
  EXPECT_TRUE(is_not_found(get("none").error()));

  json::Value wanted = *created;
  wanted["data"]["k"] = "w";
  const auto change = merge_patch_for(*created, wanted, Precondition::UidAndVersion);
  const auto patched = patch("one", **change, {.type = PatchType::Merge});
  ASSERT_TRUE(patched.ok()) << patched.error().message;
  EXPECT_EQ(patched->find_path({"data", "k"})->as_string(), "w");
  EXPECT_TRUE(is_stale_write(patch("one", **change, {.type = PatchType::Merge}).error()))
      << "the version has moved on";

  const auto removed =
      wait<json::Value>([&](Done done) { api_->remove(map_named("one"), {}, std::move(done)); });
  EXPECT_TRUE(removed.ok());
  ASSERT_TRUE(create("one").ok());
  EXPECT_TRUE(is_stale_write(
      patch("one", *merge_patch_for(*created, wanted, Precondition::Uid).value(), {}).error()))
      << "another object of the same name";
  const auto removed_again =
      wait<json::Value>([&](Done done) { api_->remove(map_named("one"), {}, std::move(done)); });
  EXPECT_TRUE(removed_again.ok());
}

TEST_F(ClientOnKube, ADryRunChangesNothing) {
  ASSERT_TRUE(create("dry", {.dry_run = DryRun::Yes}).ok());
  EXPECT_TRUE(is_not_found(get("dry").error()));
}

TEST_F(ClientOnKube, AppliesAndReportsConflicts) {
  const auto intent = apply_body(map_of("applied")).value();
  const PatchOptions first{.type = PatchType::Apply, .write = {.field_manager = "a"}};
  ASSERT_TRUE(patch("applied", intent, first).ok());
  json::Value other = intent;
  other["data"]["k"] = "other";
  PatchOptions second{.type = PatchType::Apply, .write = {.field_manager = "b"}};
  const auto refused = patch("applied", other, second);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(is_conflict(refused.error()));
  ASSERT_FALSE(refused.error().causes.empty());
  EXPECT_EQ(refused.error().causes[0].reason, "FieldManagerConflict");
  second.conflicts = ApplyConflicts::TakeOver;
  EXPECT_TRUE(patch("applied", other, second).ok());
}

TEST_F(ClientOnKube, ListsInPages) {
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(create("page-" + std::to_string(i)).ok());
  const auto list = wait<WholeList>([&](Listed listed) {
    api_->list_all(kMaps, {.selection = {.labels = "test=client"}, .limit = 3}, std::move(listed));
  });
  ASSERT_TRUE(list.ok()) << list.error().message;
  EXPECT_GE(list->items.size(), 7u);
  EXPECT_FALSE(list->resource_version.empty());
  const auto swept = wait<json::Value>([&](Done done) {
    api_->remove_collection(kMaps, {.labels = "test=client"}, {}, std::move(done));
  });
  EXPECT_TRUE(swept.ok());
  EXPECT_TRUE(is_not_found(get("page-3").error()));
}

TEST_F(ClientOnKube, DiscoversWhatIsServed) {
  on_loop([&] { discovery_ = std::make_unique<DiscoveryService>(*api_, env().clock); });
  const auto found = [&](const std::string& name) {
    return wait<ResourceInfo>(
        [&](DiscoveryService::Found ready) { discovery_->resolve(name, std::move(ready)); });
  };
  EXPECT_EQ(found("cm")->gvr, kMaps.resource);
  EXPECT_EQ(found("deployments.apps")->kind, "Deployment");
  EXPECT_FALSE(found("nodes")->namespaced);
  EXPECT_TRUE(is_not_found(found("unicorns").error()));
}

TEST_F(ClientOnKube, AStrangerIsTurnedAway) {
  const auto stranger = server_->kubeconfig_for({.name = "stranger", .group = "nobody"});
  ASSERT_TRUE(stranger.ok());
  on_loop([&] {
    const auto config =
        load_config({.kubeconfig = {.flag = stranger->string()}}, env().disk, env().log);
    api_ = std::make_unique<Api>(env(), config.value(), ApiOptions{});
  });
  EXPECT_TRUE(is_forbidden(get("any").error()));
}

TEST_F(ClientOnKube, AnInformerFollowsThroughAKillOfTheServer) {
  for (const StartMode mode : {StartMode::WatchList, StartMode::List}) {
    const std::string name = mode == StartMode::List ? "list" : "watch-list";
    ASSERT_TRUE(create(name + "-before").ok());
    on_loop([&] {
      informer_ = std::make_unique<InformerService>(
          env(), *api_, InformerSpec{.collection = kMaps, .reflector = {.start = mode}});
      informer_->start();
    });
    ASSERT_TRUE(eventually([&] { return informer_->has_synced(); }));
    const auto has = [&](const std::string& object) {
      return informer_->store().find({"default", object}) != nullptr;
    };
    on_loop([&] {
      EXPECT_TRUE(has(name + "-before"));
      EXPECT_EQ(informer_->count(Notice::FellBackToList), 0u);
    });
    const auto written = create(name + "-after");
    ASSERT_TRUE(written.ok());
    ASSERT_TRUE(eventually([&] { return has(name + "-after"); }));

    server_->process().kill();
    ASSERT_TRUE(server_->restart().ok());
    ASSERT_TRUE(create(name + "-restarted").ok());
    EXPECT_TRUE(eventually([&] { return has(name + "-restarted"); }, 60s));
    on_loop([&] { informer_.reset(); });
  }
}

}  // namespace
}  // namespace berth::client
