// Everything that has to happen about an add-on on one cluster: its owner, the rights and
// identities of its agent, the works that carry it there, and its status. One pass: values in,
// changes out.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "fleet/addons/add_on.h"
#include "fleet/addons/config.h"
#include "fleet/addons/works.h"
#include "json/value.h"

namespace berth::fleet {

// What the server said to the last attempt, if it refused.
struct AddOnRefusals {
  std::string bindings = {};
  std::string works = {};
};

struct AddOnDeploymentView {
  const AddOn& add_on;
  const json::Value& managed;            // The ManagedClusterAddOn.
  const json::Value* cluster = nullptr;  // Null: it has left the hub.

  // What its status desires, if there are such objects.
  const json::Value* add_on_template = nullptr;
  std::string template_hash = {};
  const json::Value* config = nullptr;
  std::string config_hash = {};
  std::span<const json::Value* const> works = {};     // In its namespace, with its label.
  std::span<const json::Value* const> bindings = {};  // That serve it.
  AddOnRefusals refusals = {};
  Time now;
};

struct AddOnDeploymentPlan {
  std::vector<AddOnChange> bindings = {};
  std::vector<AddOnChange> works = {};
  json::Value managed;  // As it should be, with its status.
};

AddOnDeploymentPlan plan_add_on(const AddOnDeploymentView& view);

// The first configuration of that kind that the status desires.
std::optional<AddOnConfig> desired_config(const json::Value& managed, const ConfigKind& kind);

}  // namespace berth::fleet
