// `berth controllers` on a real hub, with kubectl as users have it.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kConditions = {
    "get", "placement", "-o",
    R"(jsonpath={range .items[*]}{.metadata.name}:{range .status.conditions[*]} {.type}={.status}/{.reason}{end}{"\n"}{end})"};

std::string placement(const std::string& name, const std::string& spec) {
  return fmt::format(
      "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\n"
      "metadata: {{name: {}, namespace: default}}\nspec: {}\n",
      name, spec);
}

std::string expression(const std::string& cel) {
  return "{predicates: [{requiredClusterSelector: {celSelector: {celExpressions: [\"" + cel +
         "\"]}}}]}";
}

// Millions of steps in a few words.
std::string bomb() {
  std::string cel = "true";
  for (const char variable : {'a', 'b', 'c', 'd', 'e', 'f', 'g'}) {
    cel = fmt::format("[1,2,3,4,5,6,7,8,9].all({}, {})", variable, cel);
  }
  return cel;
}

class Controllers : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = Server::start();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    ASSERT_TRUE(apply_berth_crds(*server_).ok());
  }

  void start(std::vector<std::string> flags = {}) {
    auto controllers = start_controllers(*server_, std::move(flags));
    ASSERT_TRUE(controllers.ok()) << controllers.error().message;
    controllers_ = *std::move(controllers);
  }

  std::string kubectl(const std::vector<std::string>& arguments, const std::string& input = "") {
    const auto output = kube::kubectl(*server_, arguments, input);
    EXPECT_TRUE(output.ok()) << output.error().message;
    return output.ok() ? *output : "";
  }

  void apply(const std::string& yaml) { kubectl({"apply", "--server-side", "-f", "-"}, yaml); }

  void apply_placement(const std::string& name, const std::string& spec) {
    apply(placement(name, spec));
  }

  void make_cluster(const std::string& name, const std::string& labels = "{}") {
    apply(fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {{name: {0}, labels: {1}}}
spec: {{hubAcceptsClient: true}}
---
apiVersion: v1
kind: Namespace
metadata: {{name: {0}}}
)",
                      name, labels));
  }

  void bind_default_set() {
    apply(R"(
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: default}
spec: {clusterSet: default}
)");
  }

  std::string decided(const std::string& placement, const std::string& expected) {
    return kubectl_until(*server_,
                         {"get", "placementdecision", placement + "-decision-1", "-o",
                          "jsonpath={.status.decisions[*].clusterName}"},
                         expected);
  }

  std::unique_ptr<Server> server_;
  Child controllers_;
};

// From the document that introduced scores for placements, from "Select clusters with the
// customized scores" on.
TEST_F(Controllers, WalkThroughOfPlacementByCustomizedScores) {
  start();
  for (const std::string cluster : {"cluster1", "cluster2"}) {
    make_cluster(cluster);
    apply(fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScore
metadata: {{name: resource-usage-score, namespace: {}}}
)",
                      cluster));
    kubectl({"patch", "addonplacementscore", "resource-usage-score", "-n", cluster,
             "--subresource=status", "--type=merge", "-p",
             R"({"status":{"scores":[{"name":"cpuAvailable","value":12},
                {"name":"memAvailable","value":4}]}})"});
  }
  bind_default_set();
  apply(R"(
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
)");
  ASSERT_EQ(decided("placement1", "cluster1"), "cluster1");
  EXPECT_THAT(
      kubectl({"describe", "placementdecision", "-n", "default"}),
      HasSubstr("Status:\n  Decisions:\n    Cluster Name:  cluster1\n    Reason:        \n"));
  EXPECT_EQ(
      kubectl(
          {"get", "addonplacementscore", "-A",
           R"(-o=jsonpath={range .items[*]}{.metadata.namespace}{"\t"}{.status.scores}{"\n"}{end})"}),
      "cluster1\t[{\"name\":\"cpuAvailable\",\"value\":12},{\"name\":\"memAvailable\",\"value\":4}]"
      "\n"
      "cluster2\t[{\"name\":\"cpuAvailable\",\"value\":12},{\"name\":\"memAvailable\",\"value\":4}]"
      "\n");
  const std::string events =
      "Normal DecisionCreate placement-controller Decision placement1-decision-1 is created with "
      "placement placement1 in namespace default\n"
      "Normal DecisionUpdate placement-controller Decision placement1-decision-1 is updated with "
      "placement placement1 in namespace default\n"
      "Normal ScoreUpdate placement-controller cluster1:12 cluster2:12 \n";
  const std::vector<std::string> columns = {
      "get", "events.events.k8s.io", "--sort-by=.reason", "-o",
      R"(jsonpath={range .items[*]}{.type} {.reason} {.reportingController} {.note}{"\n"}{end})"};
  EXPECT_EQ(kubectl_until(*server_, columns, events), events);
  EXPECT_THAT(kubectl({"get", "placement", "placement1"}),
              HasSubstr("True        AllDecisionsScheduled   1"));
  EXPECT_THAT(kubectl({"wait", "--for=condition=PlacementSatisfied", "placement/placement1"}),
              HasSubstr("condition met"));
}

TEST_F(Controllers, ARestartChangesNothing) {
  start();
  make_cluster("cluster1");
  bind_default_set();
  apply_placement("p", "{}");
  ASSERT_EQ(decided("p", "cluster1"), "cluster1");
  kubectl({"wait", "--for=condition=PlacementSatisfied", "placement/p"});
  const std::vector<std::string> versions = {
      "get", "placements,placementdecisions,managedclusters,managedclustersets", "-o",
      "jsonpath={.items[*].metadata.resourceVersion}"};
  const std::string before = kubectl(versions);
  controllers_.stop();
  start();
  // A further placement shows that the new process is at work.
  apply_placement("q", "{}");
  ASSERT_EQ(decided("q", "cluster1"), "cluster1");
  kubectl({"wait", "--for=condition=PlacementSatisfied", "placement/q"});
  kubectl({"delete", "placement/q", "placementdecision/q-decision-1"});
  EXPECT_EQ(kubectl(versions), before);
}

TEST_F(Controllers, RefuseToWorkBesideOcm) {
  apply(R"(
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: placement-lock, namespace: default}
spec: {holderIdentity: ocm_1, leaseDurationSeconds: 36000, renewTime: "2026-01-01T00:00:00.000000Z"}
)");
  // Long over, so nobody holds it.
  start({"--controllers=placement"});
  kubectl({"wait", "--for=create", "lease/berth-controllers", "-n", "kube-system"});
  controllers_.stop();
  kubectl({"patch", "lease", "placement-lock", "--type=merge", "-p",
           R"({"spec":{"leaseDurationSeconds":2000000000}})"});
  const auto refused =
      berth(*server_, {"controllers", "--controllers=placement", "--health-probe-bind-address=0",
                       "--metrics-bind-address=0"});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(
      refused.error().message,
      HasSubstr("ocm_1 holds the lease default/placement-lock: OCM already does the work of "
                "\"placement\" on this hub."));
  EXPECT_THAT(refused.error().message, HasSubstr("--placements=handed-over"));
}

TEST_F(Controllers, DecideOnlyWhatIsHandedOver) {
  start({"--placements=handed-over"});
  make_cluster("cluster1");
  bind_default_set();
  apply_placement("theirs", "{}");
  apply(placement("ours", "{}"));
  kubectl({"annotate", "placement", "ours",
           "cluster.open-cluster-management.io/experimental-scheduling-disable=true"});
  EXPECT_EQ(decided("ours", "cluster1"), "cluster1");
  EXPECT_EQ(kubectl({"get", "placement", "theirs", "-o", "jsonpath={.status}"}), "");
}

TEST_F(Controllers, BadPlacementsSaySoAndHurtNoOther) {
  start();
  make_cluster("cluster1", "{env: prod}");
  bind_default_set();
  apply_placement("bomb", expression(bomb()));
  apply_placement("broken-cel", expression("managedCluster.metadata.name =="));
  apply_placement("broken-selector", R"({predicates: [{requiredClusterSelector: {labelSelector:
      {matchExpressions: [{key: env, operator: Sideways, values: [prod]}]}}}]})");
  apply_placement("good", "{}");
  apply_placement("negative", "{numberOfClusters: -3}");
  std::string tolerations;
  for (int i = 0; i < 10'000; ++i) tolerations += fmt::format("{{key: k{}, operator: Exists}},", i);
  apply_placement("tolerant", "{tolerations: [" + tolerations + "]}");
  const std::string expected =
      "bomb: PlacementMisconfigured=False/Succeedconfigured "
      "PlacementSatisfied=False/NoManagedClusterMatched\n"
      "broken-cel: PlacementMisconfigured=True/Misconfigured "
      "PlacementSatisfied=False/NoManagedClusterMatched\n"
      "broken-selector: PlacementMisconfigured=True/Misconfigured "
      "PlacementSatisfied=False/NoManagedClusterMatched\n"
      "good: PlacementMisconfigured=False/Succeedconfigured "
      "PlacementSatisfied=True/AllDecisionsScheduled\n"
      "negative: PlacementMisconfigured=False/Succeedconfigured "
      "PlacementSatisfied=False/NoManagedClusterMatched\n"
      "tolerant: PlacementMisconfigured=False/Succeedconfigured "
      "PlacementSatisfied=True/AllDecisionsScheduled\n";
  EXPECT_EQ(kubectl_until(*server_, kConditions, expected), expected);
  const std::vector<std::string> message = {
      "-o", R"(jsonpath={.status.conditions[?(@.type=="PlacementSatisfied")].message})"};
  EXPECT_THAT(kubectl({"get", "placement", "bomb", message[0], message[1]}),
              HasSubstr("expressions cost more than is allowed on 1 of 1 clusters"));
  EXPECT_THAT(kubectl({"get", "placement", "negative", message[0], message[1]}),
              HasSubstr("a negative numberOfClusters counts as 0"));
  // Weights out of range do not even get in.
  const auto refused = kube::kubectl(*server_, {"apply", "-f", "-"}, placement("heavy", R"(
      {prioritizerPolicy: {configurations: [
      {scoreCoordinate: {type: BuiltIn, builtIn: Steady}, weight: 11}]}})"));
  EXPECT_FALSE(refused.ok());
  EXPECT_TRUE(controllers_.running());
}

}  // namespace
}  // namespace berth::kube
