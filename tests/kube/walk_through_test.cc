// The walk-through of the document that introduced scores for placements, from "Select clusters
// with the customized scores" on, with kubectl as users have it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/ocm_controller.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using ::testing::HasSubstr;

enum class Decider : std::uint8_t { BerthControllers, ControllersInsideTheHub, OcmController };

class WalkThrough : public ::testing::TestWithParam<Decider> {
 protected:
  void SetUp() override {
    const bool inside = GetParam() == Decider::ControllersInsideTheHub;
    auto server = start_with_berth_crds({.controllers = inside ? "clustersets,placement" : "none"});
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    if (inside) return;
    // OCM's program for placements leaves the sets to another one.
    const bool is_ocm = GetParam() == Decider::OcmController;
    auto controllers = start_controllers(
        *server_, {is_ocm ? "--controllers=clustersets" : "--controllers=clustersets,placement"});
    ASSERT_TRUE(controllers.ok()) << controllers.error().message;
    controllers_ = *std::move(controllers);
    if (!is_ocm) return;
    auto ocm = OcmController::start(*server_);
    ASSERT_TRUE(ocm.ok()) << ocm.error().message;
    ocm_ = std::make_unique<OcmController>(*std::move(ocm));
  }

  void make_cluster_with_scores(const std::string& name) {
    make_cluster(*server_, name);
    apply_yaml(*server_, fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScore
metadata: {{name: resource-usage-score, namespace: {0}}}
)",
                                     name));
    checked_kubectl(*server_, {"patch", "addonplacementscore", "resource-usage-score", "-n", name,
                               "--subresource=status", "--type=merge", "-p",
                               R"({"status":{"scores":[{"name":"cpuAvailable","value":12},
                {"name":"memAvailable","value":4}]}})"});
  }

  void bind_default_set() {
    const std::vector<std::string> set = {"get", "managedclusterset", "default", "-o", "name"};
    const std::string made = "managedclusterset.cluster.open-cluster-management.io/default\n";
    ASSERT_EQ(kubectl_until(*server_, set, made), made);
    // The controllers put new clusters there; else the Placement might be decided without one.
    checked_kubectl(
        *server_,
        {"wait", "managedcluster", "--all", "--timeout=60s",
         R"(--for=jsonpath={.metadata.labels.cluster\.open-cluster-management\.io/clusterset}=default)"});
    apply_yaml(*server_, R"(
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: default}
spec: {clusterSet: default}
)");
  }

  std::unique_ptr<Server> server_;
  Child controllers_;
  std::unique_ptr<OcmController> ocm_;
};

constexpr std::string_view kPlacement = R"(
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: placement1
  namespace: default
spec:
  numberOfClusters: 1
  clusterSets:
    - default
  prioritizerPolicy:
    mode: Exact
    configurations:
      - scoreCoordinate:
          type: AddOn
          addOn:
            resourceName: resource-usage-score
            scoreName: cpuAvailable
        weight: 1
)";

TEST_P(WalkThrough, OfPlacementByCustomizedScores) {
  make_cluster_with_scores("cluster1");
  make_cluster_with_scores("cluster2");
  bind_default_set();
  apply_yaml(*server_, std::string(kPlacement));
  ASSERT_EQ(kubectl_until(*server_,
                          {"get", "placementdecision", "placement1-decision-1", "-o",
                           "jsonpath={.status.decisions[*].clusterName}"},
                          "cluster1"),
            "cluster1");
  EXPECT_THAT(
      checked_kubectl(*server_, {"describe", "placementdecision", "-n", "default"}),
      HasSubstr("Status:\n  Decisions:\n    Cluster Name:  cluster1\n    Reason:        \n"));
  EXPECT_EQ(
      checked_kubectl(
          *server_,
          {"get", "addonplacementscore", "-A",
           R"(-o=jsonpath={range .items[*]}{.metadata.namespace}{"\t"}{.status.scores}{"\n"}{end})"}),
      "cluster1\t[{\"name\":\"cpuAvailable\",\"value\":12},{\"name\":\"memAvailable\",\"value\":4}]"
      "\n"
      "cluster2\t[{\"name\":\"cpuAvailable\",\"value\":12},{\"name\":\"memAvailable\",\"value\":4}]"
      "\n");
  EXPECT_THAT(checked_kubectl(
                  *server_, {"wait", "--for=condition=PlacementSatisfied", "placement/placement1"}),
              HasSubstr("condition met"));
  EXPECT_THAT(checked_kubectl(*server_, {"get", "placement", "placement1"}),
              HasSubstr("True        AllDecisionsScheduled   1"));
  for (const std::string reason : {"DecisionCreate", "DecisionUpdate", "ScoreUpdate"}) {
    const std::vector<std::string> first = {
        "get", "events.events.k8s.io",       "--field-selector", "reason=" + reason,
        "-o",  "jsonpath={.items[0].reason}"};
    EXPECT_EQ(kubectl_until(*server_, first, reason), reason);
  }
  // OCM may decide again when a cluster has joined the set, and tells equal scores in any order.
  if (GetParam() == Decider::OcmController) return;
  EXPECT_EQ(
      checked_kubectl(
          *server_,
          {"get", "events.events.k8s.io", "--sort-by=.reason", "-o",
           R"(jsonpath={range .items[?(@.reportingController=="placement-controller")]}{.type} {.reason} {.reportingController} {.note}{"\n"}{end})"}),
      "Normal DecisionCreate placement-controller Decision placement1-decision-1 is created with "
      "placement placement1 in namespace default\n"
      "Normal DecisionUpdate placement-controller Decision placement1-decision-1 is updated with "
      "placement placement1 in namespace default\n"
      "Normal ScoreUpdate placement-controller cluster1:12 cluster2:12 \n");
}

std::string decider_name(const ::testing::TestParamInfo<Decider>& decider) {
  switch (decider.param) {
    case Decider::BerthControllers:
      return "BerthControllers";
    case Decider::ControllersInsideTheHub:
      return "ControllersInsideTheHub";
    case Decider::OcmController:
      return "OcmController";
  }
  return "";
}

constexpr Decider kDeciders[] = {Decider::BerthControllers, Decider::ControllersInsideTheHub,
                                 Decider::OcmController};
INSTANTIATE_TEST_SUITE_P(With, WalkThrough, ::testing::ValuesIn(kDeciders), decider_name);

}  // namespace
}  // namespace berth::kube
