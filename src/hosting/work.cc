#include "hosting/work.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"
#include "hosting/names.h"
#include "json/print.h"
#include "pki/digest.h"

namespace berth::hosting {
namespace {

using api::field;
using api::text_field;
using json::Value;

constexpr std::string_view kAgentFinalizer =
    "cluster.open-cluster-management.io/manifest-work-cleanup";
constexpr std::string_view kHyperShiftGroup = "hypershift.openshift.io";

std::string hex(std::string_view bytes, std::size_t digits) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text.substr(0, digits);
}

Value namespace_manifest(const std::string& name) {
  return Value::object(
      {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", Value::object({{"name", name}})}});
}

// Only what makes it a secret: neither its history nor who owns it here.
Value secret_manifest(const Value& secret, const std::string& ns) {
  Value copy = Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Secret"},
       {"metadata", Value::object({{"name", text_field(field(secret, "metadata"), "name")},
                                   {"namespace", ns}})}});
  for (const char* name : {"type", "data"}) {
    if (const Value* value = secret.find(name)) copy[name] = *value;
  }
  return copy;
}

Value identifier(std::string_view resource, const Value& object) {
  const api::Metadata metadata(object);
  return Value::object({{"group", kHyperShiftGroup},
                        {"resource", resource},
                        {"namespace", metadata.namespace_name()},
                        {"name", metadata.name()}});
}

// HyperShift fills in fields of these objects: ours are only those that the request names.
Value applied_by_server(std::string_view resource, const Value& object) {
  return Value::object(
      {{"resourceIdentifier", identifier(resource, object)},
       {"updateStrategy", Value::object({{"type", "ServerSideApply"},
                                         {"serverSideApply", Value::object({{"force", true}})}})}});
}

Value feedback_rules() {
  Value paths = Value::array();
  for (const std::string_view condition : {"Available", "Progressing", "Degraded"}) {
    for (const std::string_view part : {"status", "reason", "message"}) {
      paths.push_back(Value::object(
          {{"name", fmt::format("{}-{}", condition, part)},
           {"path", fmt::format(R"(.status.conditions[?(@.type=="{}")].{})", condition, part)}}));
    }
  }
  return Value::array({Value::object({{"type", "JSONPaths"}, {"jsonPaths", std::move(paths)}})});
}

// The Namespace is everybody's.
Value keeping_namespace(const std::string& name) {
  return Value::object(
      {{"propagationPolicy", "SelectivelyOrphan"},
       {"selectivelyOrphans",
        Value::object({{"orphaningRules",
                        Value::array({Value::object(
                            {{"group", ""}, {"resource", "namespaces"}, {"name", name}})})}})}});
}

std::string feedback_of(const Value& work, std::string_view name) {
  const Value& status = field(field(work, "status"), "resourceStatus");
  for (const Value& manifest : api::elements_field(status, "manifests")) {
    const Value& meta = field(manifest, "resourceMeta");
    if (text_field(meta, "resource") != "hostedclusters") continue;
    for (const Value& item : api::elements_field(field(manifest, "statusFeedback"), "values")) {
      if (text_field(item, "name") == name) return text_field(field(item, "fieldValue"), "string");
    }
  }
  return "";
}

void read_manifests(const Value& work, WorkState& state) {
  for (const Value& manifest :
       api::elements_field(field(field(work, "spec"), "workload"), "manifests")) {
    if (text_field(manifest, "kind") != "HostedCluster") continue;
    state.is_filled = true;
    const api::Metadata metadata(manifest);
    state.identity = {.object_namespace = std::string(metadata.namespace_name()),
                      .name = std::string(metadata.name()),
                      .infra_id = text_field(field(manifest, "spec"), "infraID")};
  }
}

void read_conditions(const Value& work, WorkState& state) {
  const Value* applied = api::find_condition(field(field(work, "status"), "conditions"), "Applied");
  if (!applied) return;
  const bool is_current = api::integer_field(*applied, "observedGeneration").value_or(0) >=
                          api::Metadata(work).generation();
  const std::string status = text_field(*applied, "status");
  state.is_applied = is_current && status == "True";
  if (is_current && status == "False") state.apply_problem = text_field(*applied, "message");
}

}  // namespace

std::string work_name(std::string_view request_uid) {
  return "hcr-" + hex(pki::sha256(request_uid), 10);
}

Value make_shell(const WorkContent& content, std::string_view host) {
  const HostedClusterRequest& request = content.request;
  const std::string& ns = content.payload.identity.object_namespace;
  return Value::object(
      {{"apiVersion", "work.open-cluster-management.io/v1"},
       {"kind", "ManifestWork"},
       {"metadata",
        Value::object({{"name", work_name(request.facts.uid)},
                       {"namespace", host},
                       {"labels", Value::object({{kRequestUidLabel, request.facts.uid}})},
                       {"annotations",
                        Value::object({{kRequestAnnotation, request.facts.object_namespace + "/" +
                                                                request.facts.name}})}})},
       {"spec",
        Value::object(
            {{"workload", Value::object({{"manifests", Value::array({namespace_manifest(ns)})}})},
             {"deleteOption", keeping_namespace(ns)}})}});
}

Value fill_work(Value work, const WorkContent& content, const Secrets& secrets) {
  const Payload& payload = content.payload;
  const std::string& ns = payload.identity.object_namespace;
  Value manifests = Value::array({namespace_manifest(ns)});
  for (const std::string& name : payload.secrets) {
    manifests.push_back(secret_manifest(secrets.at(name), ns));
  }
  Value configs = Value::array({applied_by_server("hostedclusters", payload.hosted_cluster)});
  configs.elements()[0]["feedbackRules"] = feedback_rules();
  manifests.push_back(payload.hosted_cluster);
  for (const Value& pool : payload.node_pools) {
    manifests.push_back(pool);
    configs.push_back(applied_by_server("nodepools", pool));
  }
  Value& annotations = work["metadata"]["annotations"];
  annotations[kContentAnnotation] = content_hash(content);
  annotations[kGenerationAnnotation] = std::to_string(content.request.facts.generation);
  Value& spec = work["spec"];
  spec["workload"] = Value::object({{"manifests", std::move(manifests)}});
  spec["manifestConfigs"] = std::move(configs);
  spec["deleteOption"] = keeping_namespace(ns);
  return work;
}

std::string content_hash(const WorkContent& content) {
  Value all = Value::array({content.payload.hosted_cluster});
  for (const Value& pool : content.payload.node_pools) all.push_back(pool);
  for (const std::string& name : content.payload.secrets) all.push_back(name);
  return hex(pki::sha256(json::print(all)), 16);
}

Value as_orphaning(Value work) {
  work["spec"]["deleteOption"] = Value::object({{"propagationPolicy", "Orphan"}});
  return work;
}

WorkState read_work(const Value& work) {
  const api::Metadata metadata(work);
  WorkState state{
      .content = std::string(metadata.annotations().find(kContentAnnotation).value_or("")),
      .is_deleting = metadata.is_being_deleted(),
      .has_agent_finalizer = metadata.has_finalizer(kAgentFinalizer),
      .is_orphaning =
          text_field(field(field(work, "spec"), "deleteOption"), "propagationPolicy") == "Orphan"};
  state.request_generation =
      parse_int64(metadata.annotations().find(kGenerationAnnotation).value_or("")).value_or(0);
  read_manifests(work, state);
  read_conditions(work, state);
  state.is_available = state.is_filled && feedback_of(work, "Available-status") == "True";
  state.reason = feedback_of(work, "Available-reason");
  state.message = feedback_of(work, "Available-message");
  return state;
}

}  // namespace berth::hosting
