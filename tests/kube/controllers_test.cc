// `berth controllers` on a real hub, with kubectl as users have it.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/print.h"
#include "json/yaml_read.h"
#include "kube/child.h"
#include "kube/commands.h"
#include "kube/contents.h"
#include "kube/crds.h"
#include "kube/ports.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kConditions = {
    "get", "placement", "-o",
    R"(jsonpath={range .items[*]}{.metadata.name}:{range .status.conditions[*]} {.type}={.status}/{.reason}{end}{"\n"}{end})"};

std::string placement(const std::string& name, const std::string& spec,
                      const std::string& ns = "default") {
  return fmt::format(
      "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\n"
      "metadata: {{name: {}, namespace: {}}}\nspec: {}\n",
      name, ns, spec);
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
    auto server = start_with_berth_crds();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
  }

  // The clusters here have no agents: registration would call all of them unreachable.
  void start(std::vector<std::string> flags = {"--controllers=clustersets,placement"}) {
    auto controllers = start_controllers(*server_, std::move(flags));
    ASSERT_TRUE(controllers.ok()) << controllers.error().message;
    controllers_ = *std::move(controllers);
  }

  void apply_placement(const std::string& name, const std::string& spec) {
    apply_yaml(*server_, placement(name, spec));
  }

  void bind_default_set(const std::string& ns = "default") {
    apply_yaml(*server_, fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {{name: default, namespace: {}}}
spec: {{clusterSet: default}}
)",
                                     ns));
  }

  void wait_for_condition(const std::string& condition, const std::string& object,
                          const std::string& ns = "default") {
    checked_kubectl(*server_,
                    {"wait", "--for=condition=" + condition, object, "-n", ns, "--timeout=60s"});
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

TEST_F(Controllers, ARestartChangesNothing) {
  start();
  make_cluster(*server_, "cluster1");
  bind_default_set();
  apply_placement("p", "{}");
  ASSERT_EQ(decided("p", "cluster1"), "cluster1");
  // The last of what they have to say about all this.
  wait_for_condition("PlacementSatisfied", "placement/p");
  wait_for_condition("ClusterSetEmpty=False", "managedclusterset/default");
  wait_for_condition("ClusterSetEmpty=False", "managedclusterset/global");
  const std::vector<std::string> versions = {
      "get", "placements,placementdecisions,managedclusters,managedclustersets", "-o",
      "jsonpath={.items[*].metadata.resourceVersion}"};
  const std::string before = checked_kubectl(*server_, versions);
  controllers_.stop();
  start();
  // A further placement shows that the new process is at work. It is where nobody looks.
  checked_kubectl(*server_, {"create", "namespace", "elsewhere"});
  bind_default_set("elsewhere");
  apply_yaml(*server_, placement("q", "{}", "elsewhere"));
  wait_for_condition("PlacementSatisfied", "placement/q", "elsewhere");
  EXPECT_EQ(checked_kubectl(*server_, versions), before);
}

TEST_F(Controllers, RefuseToWorkBesideOcm) {
  apply_yaml(*server_, R"(
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: placement-lock, namespace: default}
spec: {holderIdentity: ocm_1, leaseDurationSeconds: 36000, renewTime: "2026-01-01T00:00:00.000000Z"}
)");
  // Long over, so nobody holds it.
  start({"--controllers=placement"});
  checked_kubectl(*server_, {"wait", "--for=create", "lease/berth-controllers", "-n",
                             "berth-system", "--timeout=60s"});
  controllers_.stop();
  checked_kubectl(*server_, {"patch", "lease", "placement-lock", "--type=merge", "-p",
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
  start({"--controllers=clustersets,placement", "--placements=handed-over"});
  make_cluster(*server_, "cluster1");
  bind_default_set();
  apply_placement("theirs", "{}");
  apply_yaml(*server_, placement("ours", "{}"));
  checked_kubectl(*server_,
                  {"annotate", "placement", "ours",
                   "cluster.open-cluster-management.io/experimental-scheduling-disable=true"});
  EXPECT_EQ(decided("ours", "cluster1"), "cluster1");
  EXPECT_EQ(checked_kubectl(*server_, {"get", "placement", "theirs", "-o", "jsonpath={.status}"}),
            "");
}

TEST_F(Controllers, BadPlacementsSaySoAndHurtNoOther) {
  start();
  make_cluster(*server_, "cluster1", "{env: prod}");
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
  EXPECT_THAT(checked_kubectl(*server_, {"get", "placement", "bomb", message[0], message[1]}),
              HasSubstr("expressions cost more than is allowed on 1 of 1 clusters"));
  EXPECT_THAT(checked_kubectl(*server_, {"get", "placement", "negative", message[0], message[1]}),
              HasSubstr("a negative numberOfClusters counts as 0"));
  // Weights out of range do not even get in.
  const auto refused = kubectl(*server_, {"apply", "-f", "-"}, placement("heavy", R"(
      {prioritizerPolicy: {configurations: [
      {scoreCoordinate: {type: BuiltIn, builtIn: Steady}, weight: 11}]}})"));
  EXPECT_FALSE(refused.ok());
  EXPECT_TRUE(controllers_.running());
}

// What Berth adds to OCM's kinds, and what a hub of OCM alone does not know.
const std::vector<std::string> kOwnDefinitions = {
    "scoresources.scores.berth.dev", "addonplacementscoregeneratortemplates.scores.berth.dev",
    "addonplacementscoregenerators.cluster.open-cluster-management.io"};

TEST_F(Controllers, WorkOnAHubThatDoesNotKnowTheirOwnKindsUntilItDoes) {
  std::vector<std::string> removal = {"delete", "customresourcedefinitions"};
  removal.insert(removal.end(), kOwnDefinitions.begin(), kOwnDefinitions.end());
  checked_kubectl(*server_, removal);
  const std::string health = fmt::format("127.0.0.1:{}", free_port());
  auto controllers = Child::start(
      {berth_program().string(), "controllers", "--kubeconfig", server_->kubeconfig().string(),
       "--metrics-bind-address=0", "--health-probe-bind-address=" + health},
      controllers_log(*server_));
  ASSERT_TRUE(controllers.ok()) << controllers.error().message;
  controllers_ = *std::move(controllers);
  const auto is_ready = [&] {
    return run({"curl", "--silent", "--fail", "--output", "/dev/null",
                "http://" + health + "/readyz"})
        .ok();
  };
  EXPECT_TRUE(wait_until(is_ready)) << contents(controllers_log(*server_));
  const std::string remedy = "berth crds | kubectl apply --server-side -f -";
  EXPECT_TRUE(wait_until([&] { return contents(controllers_log(*server_)).contains(remedy); }));
  for (const std::string& name : kOwnDefinitions) {
    EXPECT_THAT(contents(controllers_log(*server_)),
                Not(HasSubstr("informer.trouble resource=" + name)));
  }

  apply_yaml(*server_, berth_alone(*server_, {"crds", "--no-guards"}).value());
  for (const std::string& name : kOwnDefinitions) {
    wait_for_condition("Established", "customresourcedefinition/" + name);
  }
  apply_yaml(*server_, R"(
apiVersion: scores.berth.dev/v1alpha1
kind: ScoreSource
metadata: {name: fleet, namespace: default}
spec:
  endpoint: {url: "http://127.0.0.1:1"}
  placementRef: {name: all}
  queries: [{scoreName: cpu, promql: free}]
)");
  wait_for_condition("Accepted", "scoresource/fleet");
  EXPECT_TRUE(wait_until(is_ready));
}

// What comes from an address of the binary: the body, a line break, the status.
std::string fetched(const Server& server, const std::string& address, const std::string& path) {
  const std::filesystem::path answer = server.folder() / "fetched";
  const Status status = run(
      {"sh", "-c",
       fmt::format("curl --silent --max-time 10 --write-out '\n%{{http_code}}' 'http://{}{}' >'{}'",
                   address, path, answer.string())});
  return status.ok() ? contents(answer) : status.error().message;
}

TEST_F(Controllers, TellTheirHealthTheirNumbersAndTheirReasonsEachWhereItBelongs) {
  const std::string health = fmt::format("127.0.0.1:{}", free_port());
  const std::string metrics = fmt::format("127.0.0.1:{}", free_port());
  auto controllers =
      Child::start({berth_program().string(), "controllers", "--kubeconfig",
                    server_->kubeconfig().string(), "--controllers=clustersets,placement",
                    "--metrics-bind-address=" + metrics, "--health-probe-bind-address=" + health},
                   controllers_log(*server_));
  ASSERT_TRUE(controllers.ok()) << controllers.error().message;
  controllers_ = *std::move(controllers);
  make_cluster(*server_, "cluster1");
  bind_default_set();
  apply_placement("p", expression("managedCluster.metadata.name == 'cluster1'"));
  ASSERT_EQ(decided("p", "cluster1"), "cluster1") << contents(controllers_log(*server_));
  wait_for_condition("PlacementSatisfied", "placement/p");

  for (const char* path : {"/livez", "/readyz", "/healthz"}) {
    EXPECT_THAT(fetched(*server_, health, path), EndsWith("\n200")) << path;
  }
  for (const char* path : {"/metrics", "/debug/placements/default/p"}) {
    EXPECT_THAT(fetched(*server_, health, path), EndsWith("\n404")) << path;
  }
  const std::string numbers = fetched(*server_, metrics, "/metrics");
  EXPECT_THAT(numbers, EndsWith("\n200"));
  for (const char* series :
       {"scheduling_scheduling_duration_seconds_count{name=\"placement_scheduling\"}",
        "scheduling_bind_duration_seconds_count{name=\"placement_scheduling\"}",
        "leader_election_master_status{name=\"berth-controllers\"} 1",
        "workqueue_adds_total{name=\"placement\"}", "rest_client_requests_total{",
        "process_resident_memory_bytes "}) {
    EXPECT_THAT(numbers, HasSubstr(series));
  }
  const std::string reasons = fetched(*server_, metrics, "/debug/placements/default/p");
  EXPECT_THAT(reasons, EndsWith("\n200"));
  EXPECT_THAT(reasons, HasSubstr("cluster1"));
}

TEST_F(Controllers, TrustAnyServerIfTheKubeconfigSaysSo) {
  Value config = json::read_one_yaml(contents(server_->kubeconfig())).value();
  Value& cluster = config["clusters"].elements()[0]["cluster"];
  ASSERT_TRUE(cluster.erase("certificate-authority-data") ||
              cluster.erase("certificate-authority"));
  const std::filesystem::path distrusting = server_->folder() / "distrusting.kubeconfig";
  std::ofstream(distrusting) << json::print(config);
  cluster["insecure-skip-tls-verify"] = true;
  const std::filesystem::path trusting = server_->folder() / "trusting.kubeconfig";
  std::ofstream(trusting) << json::print(config);
  const auto asked = [&](const std::filesystem::path& kubeconfig, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"explain", "placement", "none", "--request-timeout=5s",
                                 "--kubeconfig", kubeconfig.string()});
    const auto answer = berth_alone(*server_, flags);
    return answer.ok() ? *answer : answer.error().message;
  };
  EXPECT_THAT(asked(trusting, {}), HasSubstr("not found"));
  EXPECT_THAT(asked(distrusting, {"--insecure-skip-tls-verify"}), HasSubstr("not found"));
  EXPECT_THAT(asked(distrusting, {}), HasSubstr("certificate"));
  EXPECT_THAT(asked(trusting, {"--insecure-skip-tls-verify=false"}), HasSubstr("certificate"));
}

}  // namespace
}  // namespace berth::kube
