#include "fleet/addons/rendering.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "fleet/addons/manifest.h"
#include "fleet/addons/template_text.h"
#include "fleet/addons/workload_decoration.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::string_view kHubKubeconfig = "/managed/hub-kubeconfig/kubeconfig";

// What a template may say in {{}}, and which of it is also put into the environment.
struct Values {
  TemplateValues all = {};
  std::vector<std::pair<std::string, std::string>> environment = {};
};

Values values_of(const RenderingView& view, const AgentSettings& settings) {
  Values values;
  std::vector<std::string> shown;
  if (api::field(api::field(view.add_on_template, "spec"), "registration").is_array()) {
    values.all["HUB_KUBECONFIG"] = kHubKubeconfig;
    shown.emplace_back("HUB_KUBECONFIG");
  }
  for (const auto& [name, value] : settings.variables) values.all[name] = value;
  values.all["CLUSTER_NAME"] = view.key.cluster;
  shown.emplace_back("CLUSTER_NAME");
  if (!settings.install_namespace.empty()) {
    values.all["INSTALL_NAMESPACE"] = settings.install_namespace;
    shown.emplace_back("INSTALL_NAMESPACE");
  }
  for (const std::string& name : shown) values.environment.emplace_back(name, values.all[name]);
  return values;
}

// The configured namespace replaces that of all objects that have one, and what refers to it.
Value moved(Value manifest, const std::string& target) {
  if (target.empty()) return manifest;
  const ManifestName name = name_of_manifest(manifest);
  if (!name.object.object_namespace.empty()) manifest["metadata"]["namespace"] = target;
  if (name.kind == "Namespace") manifest["metadata"]["name"] = target;
  if (name.kind != "RoleBinding" && name.kind != "ClusterRoleBinding") return manifest;
  Value* subjects = manifest.find("subjects");
  if (!subjects) return manifest;
  for (Value& subject : subjects->elements()) {
    if (api::text_field(subject, "kind") == "ServiceAccount") subject["namespace"] = target;
  }
  return manifest;
}

std::string namespace_of(std::string_view resource, const std::vector<Value>& manifests) {
  for (const Value& manifest : manifests) {
    const std::string found = name_of_manifest(manifest).object.object_namespace;
    if (workload_resource(manifest) == resource && !found.empty()) return found;
  }
  return "";
}

std::string agent_namespace_of(const AgentSettings& settings, const std::vector<Value>& manifests) {
  if (!settings.install_namespace.empty()) return settings.install_namespace;
  const std::string deployments = namespace_of("deployments", manifests);
  return deployments.empty() ? namespace_of("daemonsets", manifests) : deployments;
}

}  // namespace

std::vector<std::string> template_signers(const Value& add_on_template) {
  std::vector<std::string> signers;
  const Value& spec = api::field(add_on_template, "spec");
  for (const Value& registration : api::elements_field(spec, "registration")) {
    const std::string type = api::text_field(registration, "type");
    std::string signer;
    if (type == "KubeClient") signer = kClientSigner;
    if (type == "CustomSigner") {
      signer = api::text_field(api::field(registration, "customSigner"), "signerName");
    }
    if (signer.empty() || std::ranges::find(signers, signer) != signers.end()) continue;
    signers.push_back(std::move(signer));
  }
  return signers;
}

Result<Rendered> render_add_on(const RenderingView& view) {
  AgentSettings settings;
  if (view.config) {
    ASSIGN_OR_RETURN(settings, read_agent_settings(*view.config));
  }
  const Values values = values_of(view, settings);
  WorkloadDecoration decoration{.add_on = view.key.name,
                                .variables = values.environment,
                                .signers = template_signers(view.add_on_template),
                                .settings = settings};
  if (settings.mirrors) {
    decoration.mirrors = *settings.mirrors;
  } else {
    ASSIGN_OR_RETURN(decoration.mirrors, read_cluster_mirrors(view.cluster));
  }

  Rendered rendered;
  const Value& workload =
      api::field(api::field(api::field(view.add_on_template, "spec"), "agentSpec"), "workload");
  for (const Value& manifest : api::elements_field(workload, "manifests")) {
    ASSIGN_OR_RETURN(Value substituted, substitute(manifest, values.all));
    rendered.manifests.push_back(
        moved(decorate_workload(std::move(substituted), decoration), settings.install_namespace));
  }
  rendered.agent_namespace = agent_namespace_of(settings, rendered.manifests);
  if (!settings.proxy.ca_bundle.empty()) {
    rendered.manifests.push_back(proxy_ca_config_map(decoration, rendered.agent_namespace.empty()
                                                                     ? kDefaultAgentNamespace
                                                                     : rendered.agent_namespace));
  }
  return rendered;
}

}  // namespace berth::fleet
