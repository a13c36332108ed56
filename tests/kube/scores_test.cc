// `berth agent` and the scores that it publishes, with kubectl as users have it. The hub is one of
// the managed clusters; the other one is an embedded hub.

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/placement_decision.h"
#include "base/rfc3339.h"
#include "kube/agents.h"
#include "kube/blocking_api.h"
#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

const std::vector<std::string> kScores = {
    "get", "addonplacementscore", "-A", "-o",
    R"(jsonpath={range .items[*]}{.metadata.namespace}{"\t"}{.status.scores}{"\n"}{end})"};

class Scores : public ::testing::Test {
 protected:
  void SetUp() override {
    hub_ = start_server({});
    other_ = start_server({.kind = ServerKind::EmbeddedHub});
    ASSERT_TRUE(hub_ && other_);
    auto controllers = start_controllers(*hub_, {"--controllers=clustersets,placement"});
    ASSERT_TRUE(controllers.ok()) << controllers.error().message;
    controllers_ = *std::move(controllers);
    cluster1_ = std::make_unique<BlockingApi>(hub_->kubeconfig());
    cluster2_ = std::make_unique<BlockingApi>(other_->kubeconfig());
    for (const std::string name : {"cluster1", "cluster2"}) make_cluster(*hub_, name);
  }

  static std::unique_ptr<Server> start_server(const ServerOptions& options) {
    auto server = start_with_berth_crds(options);
    EXPECT_TRUE(server.ok()) << server.error().message;
    return server.ok() ? *std::move(server) : nullptr;
  }

  // Refreshes would hide whether a change wakes the agent; changes of a test follow each other
  // soon.
  void start_agents(std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {"--score-refresh=10m", "--score-change-interval=100ms"});
    const std::pair<std::string, const Server*> clusters[] = {{"cluster1", hub_.get()},
                                                              {"cluster2", other_.get()}};
    for (const auto& [name, server] : clusters) {
      auto agent = start_agent(*hub_, {.cluster_name = name,
                                       .cluster = server->kubeconfig(),
                                       .hub = hub_->kubeconfig(),
                                       .flags = flags});
      ASSERT_TRUE(agent.ok()) << agent.error().message;
      agents_.push_back(*std::move(agent));
    }
  }

  void bind_default_set(const std::string& ns) {
    const std::vector<std::string> set = {"get", "managedclusterset", "default", "-o", "name"};
    const std::string made = "managedclusterset.cluster.open-cluster-management.io/default\n";
    ASSERT_EQ(kubectl_until(*hub_, set, made), made);
    apply_yaml(
        *hub_,
        fmt::format("{{apiVersion: cluster.open-cluster-management.io/v1beta2, kind: "
                    "ManagedClusterSetBinding,"
                    " metadata: {{name: default, namespace: {}}}, spec: {{clusterSet: default}}}}",
                    ns));
  }

  std::string decided(const std::string& ns, const std::string& expected) {
    return kubectl_until(*hub_,
                         {"get", "placementdecision", "-n", ns, "-o",
                          "jsonpath={.items[*].status.decisions[*].clusterName}"},
                         expected);
  }

  // From just before the change until somebody who asks all the time sees the decision.
  std::chrono::milliseconds time_until_decided(const std::string& expected,
                                               const std::function<void()>& change) {
    const client::ResourcePath path{
        .resource = {"cluster.open-cluster-management.io", "v1beta1", "placementdecisions"},
        .ns = "default",
        .name = "placement1-decision-1"};
    const auto began = std::chrono::steady_clock::now();
    change();
    EXPECT_TRUE(wait_until([&] {
      const auto object = cluster1_->get(path);
      if (!object.ok()) return false;
      const auto decisions = api::read_placement_decision(*object).decisions;
      return decisions.size() == 1 && decisions[0].cluster == expected;
    })) << expected;
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began);
  }

  std::unique_ptr<Server> hub_;
  std::unique_ptr<Server> other_;
  Child controllers_;
  std::unique_ptr<BlockingApi> cluster1_;
  std::unique_ptr<BlockingApi> cluster2_;
  std::vector<Child> agents_;
};

// What the article shows: 24 cores and 49265496Ki on each cluster.
TEST_F(Scores, AppearInTheShapeOfTheArticle) {
  for (BlockingApi* cluster : {cluster1_.get(), cluster2_.get()}) {
    make_ready_node(*cluster, {"node1", "24", "49265496Ki"});
    make_bound_pod(*cluster, {"load", "node1", "11500m", "3Gi"});
  }
  start_agents();
  const std::string expected =
      "cluster1\t[{\"name\":\"cpuAvailable\",\"value\":12},{\"name\":\"memAvailable\","
      "\"value\":4}]\n"
      "cluster2\t[{\"name\":\"cpuAvailable\",\"value\":12},{\"name\":\"memAvailable\","
      "\"value\":4}]\n";
  ASSERT_EQ(kubectl_until(*hub_, kScores, expected), expected);
  EXPECT_THAT(checked_kubectl(*hub_, {"get", "addonplacementscore", "-A", "--no-headers"}),
              MatchesRegex("cluster1 +resource-usage-score +[0-9]+s\n"
                           "cluster2 +resource-usage-score +[0-9]+s\n"));
  const std::string yaml = checked_kubectl(
      *hub_, {"get", "addonplacementscore", "-n", "cluster1", "resource-usage-score", "-oyaml"});
  EXPECT_THAT(yaml, HasSubstr("  scores:\n"
                              "  - name: cpuAvailable\n"
                              "    value: 12\n"
                              "  - name: memAvailable\n"
                              "    value: 4\n"));
  EXPECT_THAT(yaml, HasSubstr("    message: AddOnPlacementScore updated successfully\n"
                              "    reason: AddOnPlacementScoreUpdated\n"
                              "    status: \"True\"\n"
                              "    type: AddOnPlacementScoreUpdated\n"));
  EXPECT_THAT(yaml, HasSubstr("  validUntil: \"20"));
  checked_kubectl(*hub_, {"wait", "--for=condition=AddOnPlacementScoreUpdated", "-n", "cluster1",
                          "addonplacementscore/resource-usage-score"});
}

std::string placement_by(const std::string& score) {
  return fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {{name: placement1, namespace: default}}
spec:
  numberOfClusters: 1
  clusterSets: [default]
  prioritizerPolicy:
    mode: Exact
    configurations:
    - scoreCoordinate:
        type: AddOn
        addOn: {{resourceName: resource-usage-score, scoreName: {}}}
      weight: 1
)",
                     score);
}

// A machine that has other things to do may be late once, but not every time.
constexpr int kRounds = 4;

TEST_F(Scores, MakePlacementsFollowTheLoadWithinASecond) {
  make_ready_node(*cluster1_, {"node1", "60", "900Gi"});
  make_ready_node(*cluster2_, {"node1", "50", "800Gi"});
  start_agents();
  bind_default_set("default");
  for (const std::string score : {"cpuAvailable", "memAvailable"}) {
    SCOPED_TRACE(score);
    apply_yaml(*hub_, placement_by(score));
    ASSERT_EQ(decided("default", "cluster1"), "cluster1");
    auto created = std::chrono::milliseconds::max();
    auto deleted = std::chrono::milliseconds::max();
    for (int i = 0; i < kRounds && !HasFailure(); ++i) {
      created = std::min(created, time_until_decided("cluster2", [this] {
                           make_bound_pod(*cluster1_, {"load", "node1", "30", "400Gi"});
                         }));
      deleted = std::min(
          deleted, time_until_decided("cluster1", [this] { remove_pod(*cluster1_, "load"); }));
    }
    EXPECT_LT(created.count(), 1000);
    EXPECT_LT(deleted.count(), 1000);
    RecordProperty(score + "MillisecondsFromNewPodToDecision", static_cast<int>(created.count()));
    RecordProperty(score + "MillisecondsFromNoPodToDecision", static_cast<int>(deleted.count()));
    checked_kubectl(*hub_, {"delete", "placement", "placement1"});
    checked_kubectl(*hub_, {"delete", "placementdecision", "--all"});
  }
}

// The Placement of the prototype's own page, as it stands there.
constexpr std::string_view kPrototypePlacement = R"(
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: Placement
metadata:
  name: placement
  namespace: ns1
spec:
  numberOfClusters: 1
  prioritizerPolicy:
    mode: Exact
    configurations:
      - scoreCoordinate:
          type: AddOn
          addOn:
            resourceName: test-score1
            scoreName: memAvailable
        weight: 1
)";

TEST_F(Scores, ServeThePlacementOfThePrototype) {
  make_ready_node(*cluster1_, {"node1", "10", "100Gi"});
  make_ready_node(*cluster2_, {"node1", "10", "800Gi"});
  start_agents({"--score-name=test-score1", "--score-creation=on-demand"});
  apply_yaml(*hub_, "{apiVersion: v1, kind: Namespace, metadata: {name: ns1}}");
  bind_default_set("ns1");
  apply_yaml(*hub_, std::string(kPrototypePlacement));
  EXPECT_EQ(decided("ns1", "cluster2"), "cluster2");
}

TEST_F(Scores, AreMoreOnRequestAndEndWithTheAgent) {
  make_ready_node(*cluster1_, {"node1", "60", "512Gi"});
  make_ready_node(*cluster1_, {"node2", "20", "512Gi"});
  auto agent =
      start_agent(*hub_, {.cluster_name = "cluster1",
                          .cluster = hub_->kubeconfig(),
                          .hub = hub_->kubeconfig(),
                          .flags = {"--score-refresh=2s", "--score-sets=cluster,node,ratio",
                                    "--resource=cpu,max=100", "--shape=web=cpu=9,memory=1Gi"}});
  ASSERT_TRUE(agent.ok()) << agent.error().message;
  const std::vector<std::string> values = {
      "get",
      "addonplacementscore",
      "-n",
      "cluster1",
      "resource-usage-score",
      "-o",
      R"(jsonpath={range .status.scores[*]}{.name}={.value} {end})"};
  const std::string expected =
      "cpuClusterAvailable=60 cpuNodeAvailable=20 cpuRatioAvailable=100 fit.web=8 "
      "gpuClusterAvailable=-100 gpuNodeAvailable=-100 gpuRatioAvailable=0 memClusterAvailable=100 "
      "memNodeAvailable=0 memRatioAvailable=100 tpuClusterAvailable=-100 tpuNodeAvailable=-100 "
      "tpuRatioAvailable=0 ";
  EXPECT_EQ(kubectl_until(*hub_, values, expected), expected);
  agent->stop();
  const std::vector<std::string> end = {
      "get", "addonplacementscore",          "-n", "cluster1", "resource-usage-score",
      "-o",  "jsonpath={.status.validUntil}"};
  const std::string last = checked_kubectl(*hub_, end);
  EXPECT_TRUE(wait_until([&] {
    const Time now(std::chrono::system_clock::now().time_since_epoch());
    return format_seconds(now) > last;
  })) << "three refreshes after the last write";
  EXPECT_EQ(checked_kubectl(*hub_, end), last);
}

TEST_F(Scores, AgentSaysWhatIsWrongWithItsFlags) {
  const std::pair<std::string, std::string> cases[] = {
      {"--shape=web", "write NAME=RESOURCE=QUANTITY"},
      {"--score-sets=all", "there are seed, cluster, node and ratio"},
      {"--resource=example.com/x", "max has to be above min"},
      {"--score-refresh=0s", "all times have to be above 0"},
      {"--parts=magic", "there is no \"magic\"; there are scores"},
      {"--allow-taint=k:Never", "the effect has to be NoSchedule or NoExecute"},
  };
  for (const auto& [flag, message] : cases) {
    const auto refused = berth(*hub_, {"agent", "--hub-kubeconfig", hub_->kubeconfig().string(),
                                       "--cluster-name=cluster1", flag});
    ASSERT_FALSE(refused.ok()) << flag;
    EXPECT_THAT(refused.error().message, HasSubstr(message));
  }
}

}  // namespace
}  // namespace berth::kube
