#include "fleet/addons/deployment_config.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "base/strings.h"
#include "fleet/addons/names.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

std::vector<ImageMirror> read_mirrors(std::span<const json::Value> registries) {
  std::vector<ImageMirror> mirrors;
  for (const json::Value& registry : registries) {
    mirrors.push_back({api::text_field(registry, "source"), api::text_field(registry, "mirror")});
  }
  return mirrors;
}

Result<std::vector<ContainerResources>> read_resources(std::span<const json::Value> items) {
  std::vector<ContainerResources> all;
  for (const json::Value& item : items) {
    const std::string id = api::text_field(item, "containerID");
    const auto parts = split(id, ':');
    if (parts.size() != 3) {
      return failure(Code::Invalid,
                     fmt::format("containerID \"{}\" is not KIND:NAME:CONTAINER", id));
    }
    all.push_back({.kind = std::string(parts[0]),
                   .workload = std::string(parts[1]),
                   .container = std::string(parts[2]),
                   .resources = api::field(item, "resources")});
  }
  return all;
}

std::string_view without_slash(std::string_view text) {
  return text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

std::string replaced(const ImageMirror& rule, const std::string& image) {
  const std::string_view source = without_slash(rule.source);
  const std::string_view mirror = without_slash(rule.mirror);
  if (source.empty()) {
    const std::size_t slash = image.rfind('/');
    const std::string last = slash == std::string::npos ? image : image.substr(slash + 1);
    return mirror.empty() ? last : fmt::format("{}/{}", mirror, last);
  }
  if (!image.starts_with(source)) return image;
  return fmt::format("{}{}", mirror, image.substr(source.size()));
}

bool matches(std::string_view pattern, std::string_view text) {
  return pattern == "*" ? !text.empty() : pattern == text;
}

}  // namespace

Result<AgentSettings> read_agent_settings(const json::Value& config) {
  AgentSettings settings;
  const json::Value& spec = api::field(config, "spec");
  for (const json::Value& variable : api::elements_field(spec, "customizedVariables")) {
    settings.variables[api::text_field(variable, "name")] = api::text_field(variable, "value");
  }
  settings.install_namespace = api::text_field(spec, "agentInstallNamespace");
  const json::Value& nodes = api::field(spec, "nodePlacement");
  settings.node_selector = api::field(nodes, "nodeSelector");
  settings.tolerations = api::field(nodes, "tolerations");
  if (api::field(spec, "registries").is_array()) {
    settings.mirrors = read_mirrors(api::elements_field(spec, "registries"));
  }
  const json::Value& proxy = api::field(spec, "proxyConfig");
  settings.proxy = {.http = api::text_field(proxy, "httpProxy"),
                    .https = api::text_field(proxy, "httpsProxy"),
                    .no_proxy = api::text_field(proxy, "noProxy")};
  auto bundle = decode_base64(api::text_field(proxy, "caBundle"));
  if (!bundle.ok()) {
    return failure(Code::Invalid, "proxyConfig.caBundle: " + bundle.error().message);
  }
  settings.proxy.ca_bundle = *std::move(bundle);
  ASSIGN_OR_RETURN(settings.resources,
                   read_resources(api::elements_field(spec, "resourceRequirements")));
  return settings;
}

Result<std::vector<ImageMirror>> read_cluster_mirrors(const json::Value& cluster) {
  const api::ObjectFacts facts = api::read_facts(cluster);
  const std::string_view text = facts.annotation(kImageRegistriesAnnotation);
  if (text.empty()) return std::vector<ImageMirror>();
  auto parsed = json::parse(text);
  if (!parsed.ok()) {
    return failure(Code::Invalid,
                   fmt::format("annotation {} of cluster {}: {}", kImageRegistriesAnnotation,
                               facts.name, parsed.error().message));
  }
  return read_mirrors(api::elements_field(*parsed, "registries"));
}

std::string mirrored_image(const std::vector<ImageMirror>& mirrors, const std::string& image) {
  std::string result = image;
  for (const ImageMirror& rule : mirrors) {
    if (std::string name = replaced(rule, image); name != image) result = std::move(name);
  }
  return result;
}

const json::Value* resources_for(const AgentSettings& settings, const ContainerName& name) {
  const auto found = std::find_if(
      settings.resources.rbegin(), settings.resources.rend(), [&](const ContainerResources& rule) {
        return matches(rule.kind, name.kind) && matches(rule.workload, name.workload) &&
               matches(rule.container, name.container);
      });
  return found == settings.resources.rend() ? nullptr : &found->resources;
}

}  // namespace berth::fleet
