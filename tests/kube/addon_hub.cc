#include "kube/addon_hub.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/ports.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr const char* kCluster = "cluster.open-cluster-management.io";

Result<Child> start_ocm(Server& server) {
  const char* program = std::getenv("BERTH_OCM_ADDON");
  if (!program) {
    return failure(Code::NotFound,
                   "$BERTH_OCM_ADDON is not set: run the tests with make test-kube");
  }
  return Child::start(
      {"env", "--chdir=" + server.folder().string(), program, "manager", "--kubeconfig",
       server.kubeconfig().string(), "--namespace", "default", "--disable-leader-election",
       "--listen", fmt::format("127.0.0.1:{}", free_port())},
      server.folder() / "ocm-addon.log");
}

Value feedback(std::string_view resource) {
  const bool is_deployment = resource == "deployments";
  Value values = Value::array();
  for (const char* name : {is_deployment ? "ReadyReplicas" : "NumberReady",
                           is_deployment ? "Replicas" : "DesiredNumberScheduled"}) {
    values.push_back(Value::object(
        {{"name", name}, {"fieldValue", Value::object({{"type", "Integer"}, {"integer", 1}})}}));
  }
  return Value::object({{"values", std::move(values)}});
}

std::string plural_of(const std::string& kind) {
  if (kind == "Deployment") return "deployments";
  return kind == "DaemonSet" ? "daemonsets" : "";
}

Value manifest_report(const Value& manifest, int ordinal) {
  const std::string resource = plural_of(api::text_field(manifest, "kind"));
  const Value& metadata = api::field(manifest, "metadata");
  Value report = Value::object(
      {{"resourceMeta", Value::object({{"ordinal", ordinal},
                                       {"group", resource.empty() ? "" : "apps"},
                                       {"version", "v1"},
                                       {"kind", api::text_field(manifest, "kind")},
                                       {"resource", resource},
                                       {"name", api::text_field(metadata, "name")},
                                       {"namespace", api::text_field(metadata, "namespace")}})},
       {"conditions", Value::array()}});
  if (!resource.empty()) report["statusFeedback"] = feedback(resource);
  return report;
}

Value work_report(const Value& work, Time now) {
  const std::int64_t generation = api::read_facts(work).generation;
  Value conditions = Value::array();
  for (const char* type : {"Applied", "Available"}) {
    conditions = api::with_condition(std::move(conditions),
                                     {.type = type,
                                      .status = api::ConditionStatus::True,
                                      .reason = "Test",
                                      .message = "in place",
                                      .observed_generation = generation},
                                     now);
  }
  Value manifests = Value::array();
  int ordinal = 0;
  const Value& workload = api::field(api::field(work, "spec"), "workload");
  for (const Value& manifest : api::elements_field(workload, "manifests")) {
    manifests.push_back(manifest_report(manifest, ordinal++));
  }
  return Value::object({{"conditions", std::move(conditions)},
                        {"resourceStatus", Value::object({{"manifests", std::move(manifests)}})}});
}

}  // namespace

api::Gvr add_on_resource(std::string_view plural) {
  return {"addon.open-cluster-management.io", "v1alpha1", std::string(plural)};
}

api::Gvr work_resource() { return {"work.open-cluster-management.io", "v1", "manifestworks"}; }

std::unique_ptr<AddOnHub> AddOnHub::start() {
  std::unique_ptr<AddOnHub> hub(new AddOnHub());
  auto server = start_with_berth_crds();
  EXPECT_TRUE(server.ok()) << server.error().message;
  hub->server_ = *std::move(server);
  hub->api_ = std::make_unique<BlockingApi>(hub->server_->kubeconfig());
  return hub;
}

void AddOnHub::run(AddOnManager manager) {
  Result<Child> started = manager == AddOnManager::Ocm
                              ? start_ocm(*server_)
                              : start_controllers(*server_, {"--controllers=addons"});
  ASSERT_TRUE(started.ok()) << started.error().message;
  manager_ = *std::move(started);
}

void AddOnHub::add_cluster(const std::string& name) { make_cluster(*server_, name); }

void AddOnHub::put(std::string_view documents) {
  const auto applied = kubectl(*server_, {"apply", "--server-side", "--force-conflicts", "-f", "-"},
                               std::string(documents));
  ASSERT_TRUE(applied.ok()) << applied.error().message;
}

void AddOnHub::decide(const std::string& placement,
                      const std::vector<std::vector<std::string>>& groups) {
  const std::string crd = std::string(kCluster) + "/v1beta1";
  put(
      fmt::format("apiVersion: {}\nkind: Placement\nmetadata: {{name: {}, namespace: default}}\n"
                  "spec: {{}}\n",
                  crd, placement));
  std::size_t count = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string name = fmt::format("{}-decision-{}", placement, i + 1);
    put(fmt::format(
        "apiVersion: {0}\nkind: PlacementDecision\nmetadata:\n  name: {1}\n  namespace: default\n"
        "  labels: {{{2}/placement: {3}, {2}/decision-group-index: \"{4}\", "
        "{2}/decision-group-name: \"\"}}\n",
        crd, name, kCluster, placement, i));
    Value decisions = Value::array();
    for (const std::string& cluster : groups[i]) {
      decisions.push_back(Value::object({{"clusterName", cluster}, {"reason", ""}}));
    }
    count += groups[i].size();
    const auto written = api_->patch(
        {.resource = {kCluster, "v1beta1", "placementdecisions"},
         .ns = "default",
         .name = name,
         .subresource = "status"},
        Value::object({{"status", Value::object({{"decisions", std::move(decisions)}})}}), {});
    ASSERT_TRUE(written.ok()) << written.error().message;
  }
  const Value status = json::parse(fmt::format(R"({{"status":{{"numberOfSelectedClusters":{},
      "conditions":[{{"type":"PlacementSatisfied","status":"True","reason":"Test","message":"",
      "lastTransitionTime":"2026-01-01T00:00:00Z"}}]}}}})",
                                               count))
                           .value();
  const auto written = api_->patch({.resource = {kCluster, "v1beta1", "placements"},
                                    .ns = "default",
                                    .name = placement,
                                    .subresource = "status"},
                                   status, {});
  ASSERT_TRUE(written.ok()) << written.error().message;
}

Value AddOnHub::find(const api::Gvr& resource, const std::string& ns, const std::string& name) {
  const auto found = api_->get({.resource = resource, .ns = ns, .name = name});
  return found.ok() ? *found : Value();
}

std::vector<Value> AddOnHub::list(const api::Gvr& resource) {
  auto listed = api_->list_all({.resource = resource});
  EXPECT_TRUE(listed.ok()) << listed.error().message;
  return listed.ok() ? std::move(listed->items) : std::vector<Value>();
}

void AddOnHub::report_works(const std::string& cluster, const std::string& add_on) {
  for (const Value& work : list(work_resource())) {
    const api::ObjectFacts facts = api::read_facts(work);
    if (facts.object_namespace != cluster) continue;
    if (facts.label("open-cluster-management.io/addon-name") != add_on) continue;
    Value patch = Value::object();
    patch["status"] = work_report(work, api_->env().clock.now());
    const auto written = api_->patch(
        {.resource = work_resource(), .ns = cluster, .name = facts.name, .subresource = "status"},
        patch, {});
    EXPECT_TRUE(written.ok()) << written.error().message;
  }
}

std::string AddOnHub::condition(const std::string& cluster, const std::string& add_on,
                                std::string_view type) {
  const Value managed = find(add_on_resource("managedclusteraddons"), cluster, add_on);
  const Value* found =
      api::find_condition(api::field(api::field(managed, "status"), "conditions"), type);
  return found ? api::text_field(*found, "status") + " " + api::text_field(*found, "reason")
               : "none";
}

std::string AddOnHub::progress(const std::string& add_on) {
  const Value object = find(add_on_resource("clustermanagementaddons"), "", add_on);
  const auto progressions =
      api::elements_field(api::field(object, "status"), "installProgressions");
  if (progressions.empty()) return "none";
  const Value* found =
      api::find_condition(api::field(progressions[0], "conditions"), "Progressing");
  return found ? api::text_field(*found, "message") : "none";
}

}  // namespace berth::kube
