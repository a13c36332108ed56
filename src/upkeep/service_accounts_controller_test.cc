#include "upkeep/service_accounts_controller.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "sim/world.h"
#include "upkeep/resources.h"
#include "upkeep/service_account_objects.h"
#include "upkeep/testing/model_cluster_service.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;
using json::Value;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers(env, api),
        controller(env, api, informers, [] { return true; }, "PEM") {}

  client::Api api;
  client::Informers informers;
  ServiceAccountsController controller;
};

class FurnishingNamespaces : public ::testing::Test {
 protected:
  FurnishingNamespaces() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
    cluster_.apply(namespaces(), R"({"metadata":{"name":"ns"}})");
    world_.run_for(2s);
  }

  testing::ModelCluster cluster_;
  sim::World world_;
};

TEST_F(FurnishingNamespaces, GivesEachAnAccountAndCertificates) {
  ASSERT_TRUE(cluster_.find(service_accounts(), "ns/default"));
  ASSERT_TRUE(cluster_.find(config_maps(), "ns/kube-root-ca.crt"));
  cluster_.apply(namespaces(), R"({"metadata":{"name":"later"}})");
  world_.run_for(1s);
  EXPECT_TRUE(cluster_.find(service_accounts(), "later/default"));
  EXPECT_TRUE(cluster_.find(config_maps(), "later/kube-root-ca.crt"));
  const auto writes = cluster_.writes();
  world_.run_for(30min);
  EXPECT_EQ(cluster_.writes(), writes) << "writes without a cause";
}

TEST_F(FurnishingNamespaces, GivesThemBackWhenTheyAreDeleted) {
  cluster_.erase(service_accounts(), "ns/default");
  cluster_.erase(config_maps(), "ns/kube-root-ca.crt");
  world_.run_for(1s);
  EXPECT_TRUE(cluster_.find(service_accounts(), "ns/default"));
  EXPECT_TRUE(cluster_.find(config_maps(), "ns/kube-root-ca.crt"));
}

TEST_F(FurnishingNamespaces, RestoresEditedCertificates) {
  Value edited = *cluster_.find(config_maps(), "ns/kube-root-ca.crt");
  edited["data"]["ca.crt"] = "forged";
  cluster_.put(config_maps(), edited);
  world_.run_for(1s);
  EXPECT_EQ(cluster_.find(config_maps(), "ns/kube-root-ca.crt")
                ->find_path({"data", "ca.crt"})
                ->string_or_empty(),
            "PEM");
}

TEST_F(FurnishingNamespaces, BringsNothingIntoANamespaceThatGoes) {
  cluster_.remove(namespaces(), "ns");
  cluster_.erase(service_accounts(), "ns/default");
  cluster_.erase(config_maps(), "ns/kube-root-ca.crt");
  const auto writes = cluster_.writes();
  world_.run_for(5min);
  EXPECT_FALSE(cluster_.find(service_accounts(), "ns/default"));
  EXPECT_LE(cluster_.writes() - writes, 2U) << "one refusal each, at most";
}

}  // namespace
}  // namespace berth::upkeep
