#include "placement/clustersets/clustersets_controller.h"

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "json/print.h"
#include "placement/clustersets/cluster_sets.h"
#include "sim/world.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using json::Value;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers(env, api),
        controller(env, api, informers, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  ClusterSetsController controller;
};

class KeepingSets : public ::testing::Test {
 protected:
  KeepingSets() : world_(sim::WorldOptions{}) {
    hub_.on_write = [this](const auto&) { ++writes_; };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
  }

  void put(Watched kind, std::string_view text) {
    hub_.put(resource_of(kind), json::parse(text).value());
  }

  // The first condition as "status reason message".
  std::string condition(Watched kind, const std::string& key) {
    world_.run_for(1s);
    const Value* object = hub_.find(resource_of(kind), key);
    const Value* conditions = object ? object->find_path({"status", "conditions"}) : nullptr;
    if (!conditions) return "none";
    const Value& first = conditions->elements()[0];
    return std::string(first.find("status")->string_or_empty()) + " " +
           std::string(first.find("reason")->string_or_empty()) + " " +
           std::string(first.find("message")->string_or_empty());
  }

  control::testing::ModelHub hub_;
  int writes_ = 0;
  sim::World world_;
};

TEST_F(KeepingSets, MakesTheTwoSetsThatAlwaysExistAndMakesThemAgain) {
  world_.run_for(1s);
  ASSERT_TRUE(hub_.find(resource_of(Watched::Sets), "default"));
  hub_.erase(resource_of(Watched::Sets), "global");
  world_.run_for(1s);
  ASSERT_TRUE(hub_.find(resource_of(Watched::Sets), "global"));
  const int writes = writes_;
  world_.run_for(10min);
  EXPECT_EQ(writes_, writes) << "writes without a cause";
}

TEST_F(KeepingSets, GivesAnEditedStandardSetItsSelectorBack) {
  world_.run_for(1s);
  Value edited = *hub_.find(resource_of(Watched::Sets), "default");
  edited["spec"]["clusterSelector"]["selectorType"] = "LabelSelector";
  hub_.put(resource_of(Watched::Sets), edited);
  world_.run_for(1s);
  EXPECT_EQ(*hub_.find(resource_of(Watched::Sets), "default")->find("spec"),
            *default_cluster_set().find("spec"));
}

TEST_F(KeepingSets, CountsMembersInTheStatusOfSets) {
  EXPECT_EQ(condition(Watched::Sets, "default"),
            "True NoClusterMatched No ManagedCluster selected");
  put(Watched::Clusters, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(condition(Watched::Sets, "default"),
            "False ClustersSelected 1 ManagedClusters selected");
  EXPECT_EQ(condition(Watched::Sets, "global"),
            "False ClustersSelected 1 ManagedClusters selected");
  hub_.erase(resource_of(Watched::Clusters), "a");
  EXPECT_EQ(condition(Watched::Sets, "global"), "True NoClusterMatched No ManagedCluster selected");
}

TEST_F(KeepingSets, TellsWhetherTheSetOfABindingExists) {
  put(Watched::Bindings, R"({"metadata":{"name":"s","namespace":"ns"},"spec":{"clusterSet":"s"}})");
  EXPECT_EQ(condition(Watched::Bindings, "ns/s"), "False ClusterSetNotFound ");
  put(Watched::Sets, R"({"metadata":{"name":"s"},"spec":{"clusterSelector":
      {"selectorType":"ExclusiveClusterSetLabel"}}})");
  EXPECT_EQ(condition(Watched::Bindings, "ns/s"), "True ClusterSetBound ");
}

TEST_F(KeepingSets, PutsNewClustersIntoTheDefaultSetAndDatesTheirTaints) {
  put(Watched::Clusters, R"({"metadata":{"name":"a"},
      "spec":{"taints":[{"key":"k","effect":"NoSelect"}]}})");
  world_.run_for(1s);
  const Value* cluster = hub_.find(resource_of(Watched::Clusters), "a");
  EXPECT_EQ(cluster->find_path({"metadata", "labels"})
                ->find("cluster.open-cluster-management.io/clusterset")
                ->string_or_empty(),
            "default");
  EXPECT_TRUE(cluster->find_path({"spec", "taints"})->elements()[0].find("timeAdded"));
}

}  // namespace
}  // namespace berth::placement
