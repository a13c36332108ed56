// Nobody gives away rights that they do not hold: the guard on writes of roles and bindings.

#pragma once

#include <string>

#include "apiserver/auth/rbac.h"
#include "apiserver/refusal.h"
#include "apiserver/user.h"
#include "json/value.h"

namespace berth::apiserver {

// One write of an object of the RBAC kinds.
struct RbacWrite {
  const User& user;
  std::string resource;       // "roles", "clusterroles", "rolebindings", "clusterrolebindings".
  std::string ns = {};        // Of the request's path; empty: of the cluster.
  std::string name = {};      // Of the request's path: none when it creates.
  const json::Value* before;  // Null: it creates.
  const json::Value& after;
};

// Roles: the writer holds all rules, or has the verb `escalate` on the role. A ClusterRole that
// gathers others (aggregationRule) can come to anything, so it needs everything. Bindings: the
// writer holds what the role says, or has the verb `bind` on it. Writes that change nothing but
// owners and finalizers are always fine, so that garbage can be collected. Resources of other names
// are fine too.
Attempt<void> check_escalation(const Rbac& rbac, const RbacWrite& write);

}  // namespace berth::apiserver
