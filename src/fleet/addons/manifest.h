// One object that an add-on puts on a cluster, told by its name only.

#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "fleet/addons/config.h"
#include "json/value.h"

namespace berth::fleet {

struct ManifestName {
  std::string group = {};
  std::string version = {};
  std::string kind = {};
  ObjectName object = {};

  auto operator<=>(const ManifestName&) const = default;
};

ManifestName name_of_manifest(const json::Value& manifest);

// The plural that Kubernetes guesses for a kind: networkpolicies, ingresses, deployments.
std::string guessed_resource(std::string_view kind);

// "deployments" or "daemonsets"; empty for everything else.
std::string_view workload_resource(const json::Value& manifest);

}  // namespace berth::fleet
