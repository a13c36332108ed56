#include "kube/hosting_hub.h"

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "hosting/hosting_ledger.h"
#include "hosting/names.h"
#include "json/yaml_read.h"
#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/objects.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr const char* kTenant = "tenant";
constexpr const char* kCluster = "cluster.open-cluster-management.io";
const api::Gvr kClusters = {kCluster, "v1", "managedclusters"};
const api::Gvr kScores = {kCluster, "v1alpha1", "addonplacementscores"};
const api::Gvr kAddOns = {"addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons"};
const api::Gvr kWorks = {"work.open-cluster-management.io", "v1", "manifestworks"};

Value one(std::string_view yaml) { return json::read_one_yaml(yaml).value(); }

std::string claims_yaml(std::string_view full) {
  return fmt::format("clusterClaims: [{{name: {}, value: 'true'}}, {{name: {}, value: '{}'}}]",
                     hosting::kHostingClaim, hosting::kFullClaim, full);
}

std::string condition_yaml(std::string_view type, std::string_view status) {
  return fmt::format(
      "{{type: {}, status: '{}', reason: Test, message: '', "
      "lastTransitionTime: '2026-01-01T00:00:00Z'}}",
      type, status);
}

}  // namespace

const std::string_view kHyperShiftDefinitions = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: hostedclusters.hypershift.openshift.io}
spec:
  group: hypershift.openshift.io
  scope: Namespaced
  names: {plural: hostedclusters, singular: hostedcluster, kind: HostedCluster, listKind: HostedClusterList}
  versions:
  - name: v1beta1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nodepools.hypershift.openshift.io}
spec:
  group: hypershift.openshift.io
  scope: Namespaced
  names: {plural: nodepools, singular: nodepool, kind: NodePool, listKind: NodePoolList}
  versions:
  - name: v1beta1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
)";

api::Gvr hosting_resource(std::string_view plural) {
  return {std::string(hosting::kGroup), "v1alpha1", std::string(plural)};
}

std::unique_ptr<HostingHub> HostingHub::start() {
  std::unique_ptr<HostingHub> hub(new HostingHub());
  auto server = start_with_berth_crds();
  EXPECT_TRUE(server.ok()) << server.error().message;
  hub->server_ = *std::move(server);
  hub->api_ = std::make_unique<BlockingApi>(hub->server_->kubeconfig(),
                                            client::ApiOptions{.rate = {.per_second = 0}});
  hub->create("{apiVersion: v1, kind: Namespace, metadata: {name: tenant}}");
  return hub;
}

void HostingHub::run(const std::string& controllers) {
  auto started =
      start_controllers(*server_, {"--controllers=" + controllers, "--leader-elect=false"});
  ASSERT_TRUE(started.ok()) << started.error().message;
  controllers_ = *std::move(started);
}

void HostingHub::create(std::string_view yaml) {
  for (const Value& object : json::read_yaml(yaml).value()) create_whole(*api_, object);
}

void HostingHub::add_host(const HostWish& wish) {
  create(fmt::format(
      R"(
apiVersion: v1
kind: Namespace
metadata: {{name: {0}}}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {{name: {0}, labels: {{region: {1}}}}}
spec: {{hubAcceptsClient: true}}
status: {{conditions: [{2}], {3}, allocatable: {4}}}
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: {{name: hypershift-addon, namespace: {0}}}
spec: {{}}
status: {{conditions: [{5}]}}
---
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScore
metadata: {{name: hosted-clusters-score, namespace: {0}}}
status: {{scores: [{{name: hostedClustersCount, value: 0}}]}}
---
apiVersion: hosting.berth.dev/v1alpha1
kind: HostingLedger
metadata: {{name: hosting, namespace: {0}}}
spec: {{maxInFlight: {6}}}
)",
      wish.name, wish.region, condition_yaml("ManagedClusterConditionAvailable", "True"),
      claims_yaml("false"), wish.allocatable, condition_yaml("Available", "True"),
      wish.in_flight_max));
}

void HostingHub::patch_status(const api::Gvr& resource, const std::string& ns,
                              const std::string& name, const Value& status) {
  const auto patched =
      api_->patch({.resource = resource, .ns = ns, .name = name, .subresource = "status"},
                  Value::object({{"status", status}}), {});
  EXPECT_TRUE(patched.ok()) << patched.error().message;
}

void HostingHub::set_count(const std::string& host, int count) {
  patch_status(kScores, host, std::string(hosting::kCountScore),
               one(fmt::format("{{scores: [{{name: hostedClustersCount, value: {}}}]}}", count)));
}

void HostingHub::set_full(const std::string& host, std::string_view full) {
  patch_status(kClusters, "", host, one("{" + claims_yaml(full) + "}"));
}

void HostingHub::set_agent(const std::string& host, std::string_view available) {
  patch_status(kAddOns, host, std::string(hosting::kHyperShiftAddOn),
               one("{conditions: [" + condition_yaml("Available", available) + "]}"));
}

void HostingHub::request(const std::string& name, const std::string& spec) {
  create(fmt::format(R"(
apiVersion: hosting.berth.dev/v1alpha1
kind: HostedClusterRequest
metadata: {{name: {0}, namespace: {1}}}
spec: {{payload: {{hostedCluster: {{metadata: {{name: {0}}}, spec: {{infraID: {0}-x}}}}}}{2}{3}}}
)",
                     name, kTenant, spec.empty() ? "" : ", ", spec));
}

void HostingHub::request_many(int first, int count, const std::string& spec) {
  for (int i = first; i < first + count; ++i) request(fmt::format("r{}", i), spec);
}

void HostingHub::change_request(const std::string& name, std::string_view patch) {
  const auto patched = api_->patch(
      {.resource = hosting_resource("hostedclusterrequests"), .ns = kTenant, .name = name},
      one(patch), {});
  EXPECT_TRUE(patched.ok()) << patched.error().message;
}

void HostingHub::delete_request(const std::string& name) {
  const auto removed = api_->remove(
      {.resource = hosting_resource("hostedclusterrequests"), .ns = kTenant, .name = name});
  EXPECT_TRUE(removed.ok()) << removed.error().message;
}

Value HostingHub::find(const api::Gvr& resource, const std::string& ns, const std::string& name) {
  return api_->get({.resource = resource, .ns = ns, .name = name}).value_or(Value());
}

Value HostingHub::request_object(const std::string& name) {
  return find(hosting_resource("hostedclusterrequests"), kTenant, name);
}

std::string HostingHub::status(const std::string& name, std::string_view field) {
  return api::text_field(api::field(request_object(name), "status"), field);
}

std::string HostingHub::condition(const std::string& name, std::string_view type) {
  const Value object = request_object(name);
  const Value* found =
      api::find_condition(api::field(api::field(object, "status"), "conditions"), type);
  if (!found) return "none";
  return fmt::format("{} {} {}", api::text_field(*found, "status"),
                     api::text_field(*found, "reason"), api::text_field(*found, "message"));
}

std::map<std::string, int> HostingHub::by_host() {
  std::map<std::string, int> hosts;
  const auto all = api_->list_all({.resource = hosting_resource("hostedclusterrequests")});
  EXPECT_TRUE(all.ok());
  for (const Value& request : all.ok() ? all->items : std::vector<Value>()) {
    ++hosts[api::text_field(api::field(request, "status"), "hostingCluster")];
  }
  return hosts;
}

std::map<std::string, int> HostingHub::claims() {
  std::map<std::string, int> claims;
  const auto all = api_->list_all({.resource = hosting_resource("hostingledgers")});
  EXPECT_TRUE(all.ok());
  for (const Value& ledger : all.ok() ? all->items : std::vector<Value>()) {
    const std::string host = api::read_facts(ledger).object_namespace;
    claims[host] = static_cast<int>(hosting::read_ledger(ledger).claims.size());
  }
  return claims;
}

bool HostingHub::assigns(int count) {
  return wait_until(
      [&] {
        int assigned = 0;
        for (const auto& [host, requests] : by_host()) assigned += host.empty() ? 0 : requests;
        return assigned >= count;
      },
      std::chrono::seconds(180));
}

bool HostingHub::becomes(const std::string& name, std::string_view field, std::string_view value) {
  return wait_until([&] { return status(name, field) == value; });
}

std::optional<std::int64_t> HostingHub::capacity(const std::string& host, std::string_view score) {
  const Value object = find(kScores, host, std::string(hosting::kCapacityScore));
  for (const Value& item : api::elements_field(api::field(object, "status"), "scores")) {
    if (api::text_field(item, "name") == score) return api::integer_field(item, "value");
  }
  return std::nullopt;
}

Value HostingHub::work_of(const std::string& name) {
  return find(kWorks, status(name, "hostingCluster"), status(name, "workName"));
}

}  // namespace berth::kube
