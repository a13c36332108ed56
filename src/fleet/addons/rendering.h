// The manifests of an add-on for one cluster: its AddOnTemplate with the values of the cluster and
// of its AddOnDeploymentConfig.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/addons/deployment_config.h"
#include "fleet/addons/names.h"
#include "json/value.h"

namespace berth::fleet {

struct RenderingView {
  const AddOnKey& key;
  const json::Value& add_on_template;
  const json::Value& cluster;
  const json::Value* config = nullptr;  // Its AddOnDeploymentConfig, if it has one.
};

struct Rendered {
  std::vector<json::Value> manifests = {};

  // Where the agent runs: the configured namespace, or the one of its first workload. Empty when
  // there is neither.
  std::string agent_namespace = {};
};

Result<Rendered> render_add_on(const RenderingView& view);

// The signers of the template's registrations, each once.
std::vector<std::string> template_signers(const json::Value& add_on_template);

}  // namespace berth::fleet
