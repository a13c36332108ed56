#include "upkeep/garbage_controller.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/world.h"
#include "upkeep/resources.h"
#include "upkeep/testing/model_cluster_service.h"
#include "upkeep/watched_feed_service.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;
using client::Propagation;
using json::Value;

const client::Gvr kThings{"example.com", "v1", "things"};
const client::Gvr kWorlds{"example.com", "v1", "worlds"};

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers(env, api),
        served(env, api, informers),
        feed(env, api),
        controller(env, api, feed, served, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  Served served;
  WatchedFeed feed;
  GarbageController controller;
};

class CollectingGarbage : public ::testing::Test {
 protected:
  CollectingGarbage() : world_(sim::WorldOptions{}) {
    cluster_.define(kThings, "Thing", true);
    cluster_.define(kWorlds, "World", false);
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
    cluster_.apply(namespaces(), R"({"metadata":{"name":"ns"}})");
  }

  enum class Blocks { No, Yes };

  // "ns/name", or "name" without a namespace.
  void put(const client::Gvr& resource, const std::string& key, std::vector<Value> owners = {},
           const std::string& finalizer = "") {
    Value object;
    const std::size_t slash = key.find('/');
    if (slash != std::string::npos) object["metadata"]["namespace"] = key.substr(0, slash);
    object["metadata"]["name"] = key.substr(slash == std::string::npos ? 0 : slash + 1);
    for (Value& owner : owners) object["metadata"]["ownerReferences"].push_back(std::move(owner));
    if (!finalizer.empty()) object["metadata"]["finalizers"].push_back(finalizer);
    cluster_.put(resource, std::move(object));
  }

  Value owner(const client::Gvr& resource, const std::string& key, Blocks blocks = Blocks::No) {
    Value reference = cluster_.reference_to(resource, key);
    if (blocks == Blocks::Yes) reference["blockOwnerDeletion"] = true;
    return reference;
  }

  bool exists(const client::Gvr& resource, const std::string& key) {
    return cluster_.find(resource, key) != nullptr;
  }

  std::size_t owners_of(const client::Gvr& resource, const std::string& key) {
    const Value* list = cluster_.find(resource, key)->find_path({"metadata", "ownerReferences"});
    return list ? list->size() : 0;
  }

  testing::ModelCluster cluster_;
  sim::World world_;
};

TEST_F(CollectingGarbage, LeavesEverythingAloneThatHasItsOwners) {
  put(kThings, "ns/t");
  put(config_maps(), "ns/free");
  put(config_maps(), "ns/owned", {owner(kThings, "ns/t")});
  world_.run_for(10min);
  EXPECT_EQ(cluster_.writes(), 0U);
}

TEST_F(CollectingGarbage, FollowsChainsToTheirEnd) {
  put(kThings, "ns/a");
  put(kThings, "ns/b", {owner(kThings, "ns/a")});
  put(config_maps(), "ns/c", {owner(kThings, "ns/b")});
  put(config_maps(), "ns/free");
  world_.run_for(3s);
  cluster_.remove(kThings, "ns/a", {.propagation = Propagation::Background});
  world_.run_for(3s);
  EXPECT_EQ(cluster_.gone(),
            (std::vector<std::string>{"things/ns/a", "things/ns/b", "configmaps/ns/c"}));
  EXPECT_TRUE(exists(config_maps(), "ns/free"));
}

TEST_F(CollectingGarbage, KeepsADiamondWhileOneSideStands) {
  put(kThings, "ns/left");
  put(kThings, "ns/right");
  put(config_maps(), "ns/c", {owner(kThings, "ns/left"), owner(kThings, "ns/right")});
  world_.run_for(3s);
  cluster_.remove(kThings, "ns/left");
  world_.run_for(3s);
  ASSERT_TRUE(exists(config_maps(), "ns/c"));
  EXPECT_EQ(owners_of(config_maps(), "ns/c"), 1U);
  cluster_.remove(kThings, "ns/right");
  world_.run_for(3s);
  EXPECT_FALSE(exists(config_maps(), "ns/c"));
}

TEST_F(CollectingGarbage, KeepsAForegroundOwnerUntilTheBlockingDependentsAreGone) {
  put(kThings, "ns/a");
  put(kThings, "ns/b", {owner(kThings, "ns/a", Blocks::Yes)});
  put(config_maps(), "ns/c", {owner(kThings, "ns/b", Blocks::Yes)}, "example.com/hold");
  world_.run_for(3s);
  cluster_.remove(kThings, "ns/a", {.propagation = Propagation::Foreground});
  world_.run_for(10s);
  EXPECT_TRUE(exists(kThings, "ns/a"));
  EXPECT_TRUE(exists(kThings, "ns/b"));
  ASSERT_TRUE(exists(config_maps(), "ns/c"));
  EXPECT_TRUE(cluster_.find(config_maps(), "ns/c")->find_path({"metadata", "deletionTimestamp"}));
  cluster_.erase(config_maps(), "ns/c");
  world_.run_for(5s);
  EXPECT_EQ(cluster_.gone(), (std::vector<std::string>{"things/ns/b", "things/ns/a"}));
}

TEST_F(CollectingGarbage, DoesNotWaitForDependentsThatBlockNobody) {
  put(kThings, "ns/a");
  put(config_maps(), "ns/c", {owner(kThings, "ns/a")}, "example.com/hold");
  world_.run_for(3s);
  cluster_.remove(kThings, "ns/a", {.propagation = Propagation::Foreground});
  world_.run_for(5s);
  EXPECT_FALSE(exists(kThings, "ns/a"));
}

TEST_F(CollectingGarbage, LetsOrphansGo) {
  put(kThings, "ns/a");
  for (int i = 0; i < 5; ++i) {
    put(config_maps(), "ns/c" + std::to_string(i), {owner(kThings, "ns/a")});
  }
  world_.run_for(3s);
  cluster_.remove(kThings, "ns/a", {.propagation = Propagation::Orphan});
  world_.run_for(5s);
  EXPECT_FALSE(exists(kThings, "ns/a"));
  for (int i = 0; i < 5; ++i) {
    const std::string key = "ns/c" + std::to_string(i);
    ASSERT_TRUE(exists(config_maps(), key));
    EXPECT_EQ(owners_of(config_maps(), key), 0U);
  }
}

TEST_F(CollectingGarbage, EndsCirclesThatAreDeletedInTheForeground) {
  put(kThings, "ns/a");
  put(kThings, "ns/b", {owner(kThings, "ns/a", Blocks::Yes)});
  put(kThings, "ns/a", {owner(kThings, "ns/b", Blocks::Yes)});
  world_.run_for(3s);
  cluster_.remove(kThings, "ns/a", {.propagation = Propagation::Foreground});
  world_.run_for(20s);
  EXPECT_FALSE(exists(kThings, "ns/a"));
  EXPECT_FALSE(exists(kThings, "ns/b"));
}

TEST_F(CollectingGarbage, CollectsWhatRefersToAnOwnerThatNeverWas) {
  Value never = Value::object(
      {{"apiVersion", "example.com/v1"}, {"kind", "Thing"}, {"name", "never"}, {"uid", "never"}});
  put(config_maps(), "ns/c", {never});
  world_.run_for(5s);
  EXPECT_FALSE(exists(config_maps(), "ns/c"));
}

TEST_F(CollectingGarbage, CollectsWhatRefersToANamesakeOfItsOwner) {
  put(kThings, "ns/t");
  const Value old = owner(kThings, "ns/t");
  cluster_.erase(kThings, "ns/t");
  put(kThings, "ns/t");
  put(config_maps(), "ns/c", {old});
  world_.run_for(5s);
  EXPECT_FALSE(exists(config_maps(), "ns/c"));
}

TEST_F(CollectingGarbage, NeverCollectsWhatAKindThatIsNotServedOwns) {
  Value strange = Value::object(
      {{"apiVersion", "strange.io/v1"}, {"kind", "Strange"}, {"name", "s"}, {"uid", "s"}});
  put(config_maps(), "ns/c", {strange});
  world_.run_for(10min);
  EXPECT_TRUE(exists(config_maps(), "ns/c"));
  EXPECT_EQ(cluster_.writes(), 0U);
  cluster_.define({"strange.io", "v1", "stranges"}, "Strange", true);
  world_.run_for(1min);
  EXPECT_FALSE(exists(config_maps(), "ns/c")) << "now the hub can say that the owner is gone";
}

TEST_F(CollectingGarbage, NeverCollectsAcrossScopes) {
  put(kThings, "ns/t");
  put(kWorlds, "w", {owner(kThings, "ns/t")});
  world_.run_for(3s);
  cluster_.remove(kThings, "ns/t");
  world_.run_for(10min);
  EXPECT_TRUE(exists(kWorlds, "w"));
}

TEST_F(CollectingGarbage, LetsClusterScopedOwnersOwnInNamespaces) {
  put(kWorlds, "w");
  put(config_maps(), "ns/c", {owner(kWorlds, "w")});
  world_.run_for(3s);
  ASSERT_TRUE(exists(config_maps(), "ns/c"));
  cluster_.remove(kWorlds, "w");
  world_.run_for(3s);
  EXPECT_FALSE(exists(config_maps(), "ns/c"));
}

TEST_F(CollectingGarbage, NoticesWhatHappenedWhileItWasAway) {
  put(kThings, "ns/a");
  put(kThings, "ns/kept");
  put(config_maps(), "ns/c", {owner(kThings, "ns/a")});
  put(config_maps(), "ns/d", {owner(kThings, "ns/kept")});
  world_.run_for(3s);
  world_.node("berth").crash(sim::Crash::Process);
  cluster_.remove(kThings, "ns/a");
  world_.node("berth").restart();
  world_.run_for(5s);
  EXPECT_FALSE(exists(config_maps(), "ns/c"));
  EXPECT_TRUE(exists(config_maps(), "ns/d"));
}

TEST_F(CollectingGarbage, DeletesNothingThatFoundANewOwnerInTheMeantime) {
  put(kThings, "ns/a");
  put(kThings, "ns/b");
  put(config_maps(), "ns/c", {owner(kThings, "ns/a")});
  world_.run_for(3s);
  // Between the look and the deletion somebody adopts it: the deletion names the version it saw.
  bool adopted = false;
  cluster_.on_write = [&](const std::string& what) {
    if (what != "DELETE configmaps/ns/c" || adopted) return;
    adopted = true;
    put(config_maps(), "ns/c", {owner(kThings, "ns/b")});
  };
  cluster_.remove(kThings, "ns/a");
  world_.run_for(10s);
  EXPECT_TRUE(adopted);
  EXPECT_TRUE(exists(config_maps(), "ns/c"));
}

}  // namespace
}  // namespace berth::upkeep
