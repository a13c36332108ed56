// Tested by joining_test.cc.
#include "suites/joining_outcome.h"

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"

namespace berth::suites {
namespace {

using api::field;
using api::text_field;
using json::Value;

constexpr std::string_view kUnreachable = "cluster.open-cluster-management.io/unreachable";

Status missing(std::string what) { return failure(Code::Timeout, std::move(what)); }

Status has_rights(const SimulatedHub& hub, const std::string& name) {
  const bool has_all =
      hub.find(fleet::namespaces(), name) &&
      hub.find(fleet::cluster_roles(), fleet::cluster_role_name(name)) &&
      hub.find(fleet::cluster_role_bindings(), fleet::cluster_role_name(name)) &&
      hub.find(fleet::role_bindings(), name + "/" + fleet::registration_binding_name(name)) &&
      hub.find(fleet::role_bindings(), name + "/" + fleet::work_binding_name(name)) &&
      hub.find(fleet::leases(), fmt::format("{}/{}", name, fleet::kClusterLease));
  return has_all ? Status() : missing(name + " lacks rights or its lease");
}

}  // namespace

Status has_joined(const SimulatedHub& hub, const std::string& name) {
  const auto object = hub.find(fleet::managed_clusters(), name);
  if (!object) return missing(name + " is not known");
  for (const std::string_view type :
       {fleet::kAccepted, fleet::kJoined, fleet::kAvailable, fleet::kClockSynced}) {
    if (!api::is_condition_true(*object, type)) {
      return missing(fmt::format("{} is not {}", name, type));
    }
  }
  if (!api::elements_field(field(*object, "spec"), "taints").empty()) {
    return missing(name + " is tainted");
  }
  return has_rights(hub, name);
}

Status is_denied(const SimulatedHub& hub, const std::string& name) {
  const auto object = hub.find(fleet::managed_clusters(), name);
  if (!object) return {};  // Never came back.
  if (api::is_condition_true(*object, fleet::kAccepted)) return missing(name + " is accepted");
  if (hub.find(fleet::role_bindings(), name + "/" + fleet::registration_binding_name(name))) {
    return missing(name + " still has rights");
  }
  return {};
}

Status is_known_lost(const SimulatedHub& hub, const std::string& name) {
  const auto object = hub.find(fleet::managed_clusters(), name);
  if (!object) return missing(name + " is not known");
  for (const Value& taint : api::elements_field(field(*object, "spec"), "taints")) {
    if (text_field(taint, "key") == kUnreachable) return {};
  }
  return missing(name + " is not tainted");
}

Status has_left(const SimulatedHub& hub, const std::string& name) {
  if (hub.find(fleet::managed_clusters(), name)) return missing(name + " should be gone");
  const std::string role = fleet::cluster_role_name(name);
  if (hub.find(fleet::cluster_roles(), role) || hub.find(fleet::cluster_role_bindings(), role)) {
    return missing(role + " should be gone");
  }
  if (name != kForeign && hub.find(fleet::namespaces(), name)) {
    return missing("namespace " + name + " should be gone");
  }
  for (const std::string& key : hub.keys_in(name)) {
    const bool is_peoples =
        name == kForeign && (key.starts_with("configmaps/") ||
                             key.starts_with("serviceaccounts/") || key.starts_with("events/"));
    if (!is_peoples) return missing(key + " should be gone");
  }
  return {};
}

}  // namespace berth::suites
