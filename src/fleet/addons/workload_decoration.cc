#include "fleet/addons/workload_decoration.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "fleet/addons/manifest.h"
#include "fleet/addons/names.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::string_view kCaFolder = "/managed/proxy-ca";
constexpr std::string_view kCaFile = "ca-bundle.crt";

Value variable(std::string_view name, std::string_view value) {
  return Value::object({{"name", name}, {"value", value}});
}

std::string ca_name(const WorkloadDecoration& decoration) {
  return decoration.add_on + "-proxy-ca";
}

// What is added to each container and to the pod.
struct Additions {
  std::vector<Value> variables = {};
  std::vector<Value> mounts = {};
  std::vector<Value> volumes = {};
};

void add_credentials(Additions& additions, const WorkloadDecoration& decoration) {
  for (const std::string& signer : decoration.signers) {
    std::string name = "hub-kubeconfig";
    std::string folder = "hub-kubeconfig";
    if (signer != kClientSigner) {
      folder = signer;
      std::ranges::replace(folder, '/', '-');
      name = "cert-" + folder;
      std::ranges::replace(name, '.', '-');
    }
    additions.mounts.push_back(
        Value::object({{"name", name}, {"mountPath", "/managed/" + folder}}));
    additions.volumes.push_back(Value::object(
        {{"name", name},
         {"secret", Value::object({{"secretName", add_on_secret(decoration.add_on, signer)}})}}));
  }
}

// As in OCM the bundle is mounted only beside a proxy.
void add_proxy(Additions& additions, const WorkloadDecoration& decoration) {
  const ProxySettings& proxy = decoration.settings.proxy;
  bool has_proxy = false;
  const auto add = [&](std::string_view upper, std::string_view lower, const std::string& value) {
    if (value.empty()) return;
    has_proxy = true;
    additions.variables.push_back(variable(upper, value));
    additions.variables.push_back(variable(lower, value));
  };
  add("HTTP_PROXY", "http_proxy", proxy.http);
  add("HTTPS_PROXY", "https_proxy", proxy.https);
  add("NO_PROXY", "no_proxy", proxy.no_proxy);
  if (!has_proxy || proxy.ca_bundle.empty()) return;
  additions.variables.push_back(
      variable("CA_BUNDLE_FILE_PATH", fmt::format("{}/{}", kCaFolder, kCaFile)));
  additions.mounts.push_back(
      Value::object({{"name", "proxy-ca-bundle"}, {"mountPath", kCaFolder}}));
  additions.volumes.push_back(
      Value::object({{"name", "proxy-ca-bundle"},
                     {"configMap", Value::object({{"name", ca_name(decoration)}})}}));
}

Additions additions_of(const WorkloadDecoration& decoration) {
  Additions additions;
  for (const auto& [name, value] : decoration.variables) {
    additions.variables.push_back(variable(name, value));
  }
  add_credentials(additions, decoration);
  add_proxy(additions, decoration);
  return additions;
}

void extend(Value& owner, std::string_view name, const std::vector<Value>& items) {
  if (items.empty()) return;
  Value& list = owner[name];
  if (!list.is_array()) list = Value::array();
  for (const Value& item : items) list.push_back(item);
}

}  // namespace

Value decorate_workload(Value manifest, const WorkloadDecoration& decoration) {
  const std::string_view resource = workload_resource(manifest);
  if (resource.empty()) return manifest;
  const std::string name = api::read_facts(manifest).name;
  const Additions additions = additions_of(decoration);
  Value& pod = manifest["spec"]["template"]["spec"];
  if (Value* containers = pod.find("containers")) {
    for (Value& container : containers->elements()) {
      extend(container, "env", additions.variables);
      extend(container, "volumeMounts", additions.mounts);
      if (const std::string image = api::text_field(container, "image"); !image.empty()) {
        container["image"] = mirrored_image(decoration.mirrors, image);
      }
      const std::string container_name = api::text_field(container, "name");
      if (const Value* resources =
              resources_for(decoration.settings, {resource, name, container_name})) {
        container["resources"] = *resources;
      }
    }
  }
  extend(pod, "volumes", additions.volumes);
  const AgentSettings& settings = decoration.settings;
  if (!settings.node_selector.is_null()) pod["nodeSelector"] = settings.node_selector;
  if (!settings.tolerations.is_null()) pod["tolerations"] = settings.tolerations;
  return manifest;
}

Value proxy_ca_config_map(const WorkloadDecoration& decoration, std::string_view agent_namespace) {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "ConfigMap"},
       {"metadata", Value::object({{"name", ca_name(decoration)}, {"namespace", agent_namespace}})},
       {"data", Value::object({{kCaFile, decoration.settings.proxy.ca_bundle}})}});
}

}  // namespace berth::fleet
