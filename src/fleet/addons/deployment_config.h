// AddOnDeploymentConfig: where and how the agent of an add-on runs on a cluster.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::fleet {

struct ImageMirror {
  std::string source;
  std::string mirror;
};

// For containers of workloads: `kind` is "deployments" or "daemonsets"; "*" stands for any.
struct ContainerResources {
  std::string kind;
  std::string workload;
  std::string container;
  json::Value resources;
};

struct ProxySettings {
  std::string http = {};
  std::string https = {};
  std::string no_proxy = {};
  std::string ca_bundle = {};  // In PEM.
};

struct AgentSettings {
  std::map<std::string, std::string> variables = {};
  std::string install_namespace = {};  // Empty: as the template has it.
  json::Value node_selector = {};      // Null: as the template has it; so for the next one.
  json::Value tolerations = {};
  std::optional<std::vector<ImageMirror>> mirrors = std::nullopt;
  ProxySettings proxy = {};
  std::vector<ContainerResources> resources = {};
};

// Fails on a container id or CA bundle that cannot be read.
Result<AgentSettings> read_agent_settings(const json::Value& config);

// What the cluster's annotation says about images: {"registries": [{"source", "mirror"}]}.
Result<std::vector<ImageMirror>> read_cluster_mirrors(const json::Value& cluster);

// The image as it is to be pulled. Of several mirrors that apply the last one counts.
std::string mirrored_image(const std::vector<ImageMirror>& mirrors, const std::string& image);

struct ContainerName {
  std::string_view kind;
  std::string_view workload;
  std::string_view container;
};

// Null when nothing is said about the container; of several the last one counts.
const json::Value* resources_for(const AgentSettings& settings, const ContainerName& name);

}  // namespace berth::fleet
