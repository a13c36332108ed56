// What an add-on's Deployments and DaemonSets get besides what their template says: variables,
// volumes with credentials, where to run, from which registry, through which proxy.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fleet/addons/deployment_config.h"
#include "json/value.h"

namespace berth::fleet {

struct WorkloadDecoration {
  std::string add_on;
  std::vector<std::pair<std::string, std::string>> variables = {};  // In this order.

  // The signers whose certificates it gets; the API server's gives a kubeconfig.
  std::vector<std::string> signers = {};
  std::vector<ImageMirror> mirrors = {};
  AgentSettings settings = {};
};

// Only the containers, not the init containers. Anything that is no workload stays as it is.
json::Value decorate_workload(json::Value manifest, const WorkloadDecoration& decoration);

// The ConfigMap with the proxy's CA that the workloads mount.
json::Value proxy_ca_config_map(const WorkloadDecoration& decoration,
                                std::string_view agent_namespace);

}  // namespace berth::fleet
