// `berth agent --parts hosting` between a hub and a hosting cluster: what it counts is what
// decisions reckon with.

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "hosting/hosting_ledger.h"
#include "hosting/names.h"
#include "json/yaml_read.h"
#include "kube/agents.h"
#include "kube/crds.h"
#include "kube/hosting_hub.h"
#include "kube/objects.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;

const api::Gvr kScores{"cluster.open-cluster-management.io", "v1alpha1", "addonplacementscores"};
const api::Gvr kClaims{"cluster.open-cluster-management.io", "v1alpha1", "clusterclaims"};

class HostingAgent : public ::testing::Test {
 protected:
  void SetUp() override {
    hub_ = HostingHub::start();
    auto host = start_with_berth_crds();
    ASSERT_TRUE(host.ok()) << host.error().message;
    host_server_ = *std::move(host);
    host_ = std::make_unique<BlockingApi>(host_server_->kubeconfig());
    for (const Value& definition : json::read_yaml(kHyperShiftDefinitions).value()) {
      create_whole(*host_, definition);
    }
    ASSERT_TRUE(
        wait_until_served(*host_, {"hypershift.openshift.io", "v1beta1", "hostedclusters"}));
    create("{apiVersion: v1, kind: Namespace, metadata: {name: clusters}}");
    make_ready_node(*host_, {.name = "n1", .cpu = "64", .memory = "256G"});
  }

  void create(std::string_view yaml) { create_whole(*host_, json::read_one_yaml(yaml).value()); }
  void create_hosted(const std::string& name) {
    create(fmt::format(
        "{{apiVersion: hypershift.openshift.io/v1beta1, kind: HostedCluster, metadata: {{name: {}, "
        "namespace: clusters}}, spec: {{infraID: {}}}}}",
        name, name));
  }

  void start_agent() {
    auto agent = kube::start_agent(
        *host_server_, {.cluster_name = "h",
                        .cluster = host_server_->kubeconfig(),
                        .hub = hub_->server().kubeconfig(),
                        .flags = {"--parts=hosting", "--hosting-max=2", "--hosting-threshold=1"}});
    ASSERT_TRUE(agent.ok()) << agent.error().message;
    agent_ = *std::move(agent);
  }

  hosting::HostingLedger ledger() {
    return hosting::read_ledger(hub_->find(hosting_resource("hostingledgers"), "h", "hosting"));
  }
  std::int64_t score() {
    const Value object = hub_->find(kScores, "h", "hosted-clusters-score");
    const auto items = api::elements_field(api::field(object, "status"), "scores");
    return items.empty() ? -1 : api::integer_field(items[0], "value").value_or(-1);
  }
  std::string claim(std::string_view name) {
    const auto found = host_->get({.resource = kClaims, .name = std::string(name)});
    return found.ok() ? api::text_field(api::field(*found, "spec"), "value") : "none";
  }

  std::unique_ptr<HostingHub> hub_;
  std::unique_ptr<Server> host_server_;
  std::unique_ptr<BlockingApi> host_;
  Child agent_;
};

TEST_F(HostingAgent, CountsWhatThereIsAndDecisionsReckonWithIt) {
  create_hosted("by-hand");
  start_agent();
  EXPECT_TRUE(wait_until([&] { return claim(hosting::kHostingClaim) == "true"; }));
  EXPECT_TRUE(wait_until([&] { return claim(hosting::kThresholdClaim) == "true"; }));
  EXPECT_EQ(claim(hosting::kFullClaim), "false");

  // What the registration agent would tell of it; no score, and no add-on of HyperShift.
  hub_->create(fmt::format(R"(
apiVersion: v1
kind: Namespace
metadata: {{name: h}}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {{name: h}}
spec: {{hubAcceptsClient: true}}
status:
  conditions:
  - {{type: ManagedClusterConditionAvailable, status: 'True', reason: Test, message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z'}}
  clusterClaims: [{{name: {}, value: 'true'}}]
)",
                           hosting::kHostingClaim));
  hub_->run();
  ASSERT_TRUE(wait_until([&] { return ledger().observed.has_value(); }));
  EXPECT_EQ(ledger().observed->items,
            (std::vector<hosting::ObservedItem>{{"clusters/by-hand", false}}));
  EXPECT_EQ(ledger().observed->capacity[hosting::Resource::Cpu], 64'000);
  EXPECT_TRUE(wait_until([&] { return score() == 1; })) << score();
  EXPECT_TRUE(wait_until([&] { return hub_->capacity("h", "freeSlots") > 0; }));

  hub_->request("web");
  ASSERT_TRUE(hub_->becomes("web", "hostingCluster", "h"));
  create_hosted("another");
  EXPECT_TRUE(wait_until([&] { return score() == 2; })) << score();
  EXPECT_TRUE(wait_until([&] { return claim(hosting::kFullClaim) == "true"; }));
  EXPECT_TRUE(wait_until([&] { return ledger().observed->items.size() == 2; }));
  EXPECT_EQ(ledger().claims.size(), 1U) << "the agent touches no claims";
}

}  // namespace
}  // namespace berth::kube
