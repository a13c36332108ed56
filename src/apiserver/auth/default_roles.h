// The ClusterRoles and bindings that every hub has, as Kubernetes users know them.

#pragma once

#include <vector>

#include "json/value.h"

namespace berth::apiserver {

// cluster-admin, admin, edit, view and the system roles for discovery, for asking about oneself and
// for public information, with their bindings; complete objects without what the server stamps.
// admin, edit and view gather: whoever brings a kind labels a role for it
// (rbac.authorization.k8s.io/aggregate-to-view and so on), as OCM does.
std::vector<json::Value> default_roles();
std::vector<json::Value> default_bindings();

}  // namespace berth::apiserver
