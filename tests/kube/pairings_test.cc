// Hub and agents, Berth's and Open Cluster Management's own in all four pairings: the same script
// joins a cluster, brings work to it, installs the score agent, and takes everything away again.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/agents.h"
#include "kube/commands.h"
#include "kube/objects.h"
#include "kube/pairing.h"
#include "kube/waiting.h"
#include "kube/work_script.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr Makers kPairings[] = {{"BerthHubWithBerthAgents", Maker::Berth, Maker::Berth},
                                {"BerthHubWithOcmAgents", Maker::Berth, Maker::Ocm},
                                {"OcmHubWithBerthAgents", Maker::Ocm, Maker::Berth},
                                {"OcmHubWithOcmAgents", Maker::Ocm, Maker::Ocm}};

const client::Gvr kWidgets{"example.com", "v1", "widgets"};
const client::Gvr kDefinitions{"apiextensions.k8s.io", "v1", "customresourcedefinitions"};
const client::Gvr kPods{"", "v1", "pods"};
const client::Gvr kDeployments{"apps", "v1", "deployments"};
const client::Gvr kWorks{"work.open-cluster-management.io", "v1", "manifestworks"};
const client::Gvr kAddOns{"addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons"};
const client::Gvr kScores{"cluster.open-cluster-management.io", "v1alpha1", "addonplacementscores"};

constexpr auto kPatience = 180s;  // The reference tries some things again only after a while.

// A Deployment, a definition, and an object of the kind that it defines.
std::string delivery(int replicas, int size) {
  return fmt::format(R"(
workload:
  manifests:
    - apiVersion: apps/v1
      kind: Deployment
      metadata: {{name: web, namespace: app}}
      spec:
        replicas: {}
        selector: {{matchLabels: {{app: web}}}}
        template:
          metadata: {{labels: {{app: web}}}}
          spec: {{containers: [{{name: web, image: nginx}}]}}
    - apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {{name: widgets.example.com}}
      spec:
        group: example.com
        scope: Namespaced
        names: {{plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}}
        versions:
          - name: v1
            served: true
            storage: true
            schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}
    - apiVersion: example.com/v1
      kind: Widget
      metadata: {{name: w, namespace: app}}
      spec: {{size: {}}}
manifestConfigs:
  - resourceIdentifier: {{group: apps, resource: deployments, namespace: app, name: web}}
    feedbackRules: [{{type: WellKnownStatus}}]
  - resourceIdentifier: {{group: example.com, resource: widgets, namespace: app, name: w}}
    feedbackRules: [{{type: JSONPaths, jsonPaths: [{{name: size, path: .spec.size}}]}}]
)",
                     replicas, size);
}

class Pairings : public ::testing::TestWithParam<Makers> {
 protected:
  void SetUp() override {
    pairing_ = Pairing::start(GetParam());
    ASSERT_TRUE(pairing_);
    create_whole(fleet().cluster(),
                 json::parse(R"({"apiVersion":"cluster.open-cluster-management.io/v1alpha1",
        "kind":"ClusterClaim","metadata":{"name":"zone"},"spec":{"value":"north"}})")
                     .value());
    work_ = std::make_unique<WorkScript>(fleet().hub(), fleet().cluster(), "paris");
  }

  void join();
  void deliver_update_and_remove_work();
  void install_and_uninstall_the_score_agent();
  void notice_a_silent_agent();
  void leave();

  Joining& fleet() { return pairing_->fleet(); }

  std::string status_field(std::string_view name) {
    const Value cluster = fleet().managed_cluster("paris");
    const Value* field = cluster.find_path({"status", name});
    return field ? json::print(*field) : "";
  }

  static std::size_t count(BlockingApi& api, const client::Gvr& resource) {
    const auto all = api.list_all({.resource = resource});
    return all.ok() ? all->items.size() : 0;
  }

  // Of the cluster's score: "cpuAvailable=3 memAvailable=0", while it holds.
  std::string scores() {
    const auto object =
        fleet().hub().get({.resource = kScores, .ns = "paris", .name = "resource-usage-score"});
    if (!object.ok()) return "none";
    const Value& status = api::field(*object, "status");
    const auto until = api::time_field(status, "validUntil");
    if (!until || *until <= fleet().hub().env().clock.now()) return "expired";
    std::string text;
    for (const Value& score : api::elements_field(status, "scores")) {
      text += fmt::format("{}={} ", api::text_field(score, "name"),
                          api::integer_field(score, "value").value_or(-1000));
    }
    return text;
  }

  std::string add_on_condition(std::string_view type) {
    const auto object =
        fleet().hub().get({.resource = kAddOns, .ns = "paris", .name = "resource-usage-collect"});
    if (!object.ok()) return "none";
    const Value* found =
        api::find_condition(api::field(api::field(*object, "status"), "conditions"), type);
    return found ? api::text_field(*found, "status") + " " + api::text_field(*found, "reason")
                 : "none";
  }

  void make_target(const std::string& target) {
    const auto output = make(fleet().hub_server(), target);
    ASSERT_TRUE(output.ok()) << output.error().message;
  }

  std::unique_ptr<Pairing> pairing_;
  std::unique_ptr<WorkScript> work_;
};

void Pairings::join() {
  pairing_->start_agents("paris");
  fleet().accept("paris");
  fleet().eventually("paris", fleet::kAccepted, "True HubClusterAdminAccepted");
  fleet().eventually("paris", fleet::kJoined, "True ManagedClusterJoined");
  fleet().eventually("paris", fleet::kAvailable, "True ManagedClusterAvailable");
  EXPECT_TRUE(wait_until([&] {
    return status_field("clusterClaims") == R"([{"name":"zone","value":"north"}])";
  })) << status_field("clusterClaims");
  EXPECT_EQ(status_field("capacity"), R"({"cpu":"4","memory":"8Gi"})");
  EXPECT_EQ(status_field("allocatable"), R"({"cpu":"3500m","memory":"7Gi"})");
}

void Pairings::deliver_update_and_remove_work() {
  BlockingApi& cluster = fleet().cluster();
  const auto arrives = [&](std::string_view deployment, std::string_view widget) {
    EXPECT_TRUE(wait_until(
        [&] {
          return work_->feedback("web", 0) == deployment && work_->feedback("web", 2) == widget;
        },
        kPatience))
        << work_->transcript("web");
    EXPECT_TRUE(work_->becomes("web", "Applied", "True AppliedManifestWorkComplete"));
    EXPECT_TRUE(work_->becomes("web", "Available", "True ResourcesAvailable"));
  };
  work_->set_up();
  work_->put_work("web", delivery(2, 7));
  arrives("ReadyReplicas=2 Replicas=2 AvailableReplicas=2", "size=7");
  EXPECT_EQ(count(cluster, kPods), 2U);

  work_->put_work("web", delivery(3, 8));
  arrives("ReadyReplicas=3 Replicas=3 AvailableReplicas=3", "size=8");
  EXPECT_EQ(count(cluster, kPods), 3U);

  work_->delete_work("web");
  EXPECT_TRUE(work_->is_gone("web")) << work_->transcript("web");
  EXPECT_TRUE(work_->object(WorkScript::deployment("web")).is_null());
  EXPECT_TRUE(work_->object({.resource = kDefinitions, .name = "widgets.example.com"}).is_null());
  EXPECT_EQ(count(cluster, kWidgets), 0U);
  EXPECT_TRUE(wait_until([&] { return count(cluster, kPods) == 0; }));
}

void Pairings::install_and_uninstall_the_score_agent() {
  BlockingApi& hub = fleet().hub();
  BlockingApi& cluster = fleet().cluster();
  make_target("deploy");
  EXPECT_EQ(count(hub, kDeployments), 0U) << "the hub has a manager of add-ons already";
  EXPECT_TRUE(
      wait_until([&] { return add_on_condition("Available") == "True ProbeAvailable"; }, kPatience))
      << add_on_condition("Available");
  // 3.5 processors of 100 are left, less what the agent asks for itself; 7Gi of 1Ti.
  EXPECT_TRUE(wait_until([&] { return scores() == "cpuAvailable=3 memAvailable=0 "; }, kPatience))
      << scores();
  make_ready_node(cluster, {.name = "node2", .cpu = "32", .memory = "512Gi"});
  EXPECT_TRUE(wait_until([&] { return scores() == "cpuAvailable=35 memAvailable=50 "; }))
      << scores();

  make_target("undeploy");
  EXPECT_TRUE(wait_until(
      [&] { return count(hub, kAddOns) == 0 && count(hub, kWorks) == 0 && scores() == "none"; },
      kPatience))
      << count(hub, kAddOns) << " add-ons, " << count(hub, kWorks) << " works, scores " << scores();
  EXPECT_TRUE(wait_until(
      [&] { return count(cluster, kDeployments) == 0 && count(cluster, kPods) == 0; }, kPatience));
  EXPECT_EQ(scores(), "none") << "nobody publishes them any more";
}

// The agent takes a shorter lease over by itself, and the hub notices when it stops.
void Pairings::notice_a_silent_agent() {
  const auto patched =
      fleet().hub().patch({.resource = fleet::managed_clusters(), .name = "paris"},
                          json::parse(R"({"spec":{"leaseDurationSeconds":2}})").value(), {});
  ASSERT_TRUE(patched.ok()) << patched.error().message;
  pairing_->stop_agents();
  fleet().eventually("paris", fleet::kAvailable, "Unknown ManagedClusterLeaseUpdateStopped");
  const std::size_t requests = fleet().requests_of("paris").size();
  pairing_->start_agents("paris");
  fleet().eventually("paris", fleet::kAvailable, "True ManagedClusterAvailable");
  EXPECT_EQ(fleet().requests_of("paris").size(), requests) << "it still has its certificate";
}

void Pairings::leave() {
  fleet().set_accepted("paris", false);
  fleet().eventually("paris", fleet::kAccepted, "False HubClusterAdminDenied");
  ASSERT_TRUE(fleet().hub().remove({.resource = fleet::managed_clusters(), .name = "paris"}).ok());
  EXPECT_TRUE(wait_until([&] { return fleet().managed_cluster("paris").is_null(); }));
}

TEST_P(Pairings, JoinWorkScoreAndLeave) {
  join();
  deliver_update_and_remove_work();
  install_and_uninstall_the_score_agent();
  notice_a_silent_agent();
  leave();
}

INSTANTIATE_TEST_SUITE_P(, Pairings, ::testing::ValuesIn(kPairings),
                         [](const auto& pairing) { return std::string(pairing.param.name); });

}  // namespace
}  // namespace berth::kube
