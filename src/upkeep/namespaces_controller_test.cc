#include "upkeep/namespaces_controller.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "sim/world.h"
#include "upkeep/resources.h"
#include "upkeep/testing/model_cluster_service.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;
using json::Value;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers(env, api),
        served(env, api, informers),
        controller(env, api, informers, served, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  Served served;
  NamespacesController controller;
};

class EndingNamespaces : public ::testing::Test {
 protected:
  EndingNamespaces() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
    for (const char* name : {"ns", "other"}) {
      cluster_.apply(namespaces(), R"({"metadata":{"name":")" + std::string(name) + R"("}})");
    }
    world_.run_for(2s);
  }

  void put(const client::Gvr& resource, const std::string& name, const std::string& ns = "ns",
           const std::string& finalizers = "") {
    cluster_.apply(resource, R"({"metadata":{"name":")" + name + R"(","namespace":")" + ns +
                                 R"(","finalizers":[)" + finalizers + "]}}");
  }

  void let_go(const client::Gvr& resource, const std::string& key) {
    Value object = *cluster_.find(resource, key);
    object["metadata"].erase("finalizers");
    cluster_.erase(resource, key);
  }

  // The reason of a condition of the namespace.
  std::string reason(std::string_view type) {
    const Value* object = cluster_.find(namespaces(), "ns");
    const Value* list = object ? object->find_path({"status", "conditions"}) : nullptr;
    const Value* found = list ? api::find_condition(*list, type) : nullptr;
    return found ? std::string(found->find("reason")->string_or_empty()) : "none";
  }

  testing::ModelCluster cluster_;
  sim::World world_;
};

TEST_F(EndingNamespaces, LeavesLivingNamespacesAlone) {
  put(config_maps(), "a");
  world_.run_for(5min);
  EXPECT_EQ(cluster_.writes(), 0U);
}

TEST_F(EndingNamespaces, DeletesTheContentPodsFirstAndThenTheNamespace) {
  put(config_maps(), "a");
  put(secrets(), "s");
  put(pods(), "p");
  put(config_maps(), "stays", "other");
  cluster_.remove(namespaces(), "ns");
  world_.run_for(5s);
  EXPECT_EQ(cluster_.gone(), (std::vector<std::string>{"pods/ns/p", "configmaps/ns/a",
                                                       "secrets/ns/s", "namespaces/ns"}));
  EXPECT_EQ(cluster_.keys(config_maps()), std::vector<std::string>{"other/stays"});
  EXPECT_TRUE(cluster_.find(namespaces(), "other"));
}

TEST_F(EndingNamespaces, WaitsForFinalizersAndSaysSo) {
  put(secrets(), "held", "ns", R"("example.com/hold")");
  cluster_.remove(namespaces(), "ns");
  world_.run_for(1min);
  ASSERT_TRUE(cluster_.find(namespaces(), "ns"));
  EXPECT_EQ(reason("NamespaceContentRemaining"), "SomeResourcesRemain");
  EXPECT_EQ(reason("NamespaceFinalizersRemaining"), "SomeFinalizersRemain");
  EXPECT_EQ(reason("NamespaceDeletionContentFailure"), "ContentDeleted");
  let_go(secrets(), "ns/held");
  world_.run_for(20s);
  EXPECT_FALSE(cluster_.find(namespaces(), "ns"));
}

TEST_F(EndingNamespaces, KeepsTheRestWhileAPodIsHeld) {
  put(pods(), "held", "ns", R"("example.com/hold")");
  put(config_maps(), "needed");
  cluster_.remove(namespaces(), "ns");
  world_.run_for(1min);
  EXPECT_TRUE(cluster_.find(config_maps(), "ns/needed"));
  let_go(pods(), "ns/held");
  world_.run_for(20s);
  EXPECT_FALSE(cluster_.find(config_maps(), "ns/needed"));
  EXPECT_FALSE(cluster_.find(namespaces(), "ns"));
}

TEST_F(EndingNamespaces, DeletesWhatADefinitionBroughtLater) {
  const client::Gvr things{"example.com", "v1", "things"};
  cluster_.define(things, "Thing", true);
  put(things, "t");
  cluster_.remove(namespaces(), "ns");
  world_.run_for(5s);
  EXPECT_FALSE(cluster_.find(things, "ns/t"));
  EXPECT_FALSE(cluster_.find(namespaces(), "ns"));
}

TEST_F(EndingNamespaces, LeavesTheNamespaceToOtherFinalizers) {
  Value object = *cluster_.find(namespaces(), "ns");
  object["spec"]["finalizers"].push_back("example.com/more");
  cluster_.put(namespaces(), object);
  cluster_.remove(namespaces(), "ns");
  world_.run_for(1min);
  ASSERT_TRUE(cluster_.find(namespaces(), "ns"));
  const Value* left = cluster_.find(namespaces(), "ns")->find_path({"spec", "finalizers"});
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ(left->elements()[0].string_or_empty(), "example.com/more");
}

TEST_F(EndingNamespaces, GoesOnAfterACrash) {
  for (int i = 0; i < 20; ++i) put(config_maps(), "c" + std::to_string(i));
  cluster_.on_write = [this](const std::string& what) {
    if (what == "DELETE configmaps/" || what == "DELETE configmaps/ns/") {
      world_.schedule().add(world_.now(),
                            [this] { world_.node("berth").crash(sim::Crash::Process); });
    }
  };
  cluster_.remove(namespaces(), "ns");
  world_.run_for(2s);
  cluster_.on_write = [](const std::string&) {};
  world_.node("berth").restart();
  world_.run_for(10s);
  EXPECT_FALSE(cluster_.find(namespaces(), "ns"));
  EXPECT_TRUE(cluster_.keys(config_maps()).empty());
}

}  // namespace
}  // namespace berth::upkeep
