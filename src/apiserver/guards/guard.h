// Guards: what OCM's admission webhooks keep safe on a hub, without webhooks.

#pragma once

#include <string>
#include <string_view>

#include "apiserver/auth/rbac.h"
#include "apiserver/refusal.h"
#include "apiserver/user.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

inline constexpr std::string_view kClusterGroup = "cluster.open-cluster-management.io";

// One write of an object itself; subresources are not guarded.
struct GuardedWrite {
  const json::Value* before;  // Null: it creates.
  const User& user;
  const Authorizer& authorizer;
  std::string namespace_phase = {};  // status.phase of the namespace named like the object, if any.
  Time now;
};

// The object to store, possibly completed. Resources that nobody guards pass as they are.
Attempt<json::Value> guarded(std::string_view group, std::string_view resource,
                             const GuardedWrite& write, json::Value after);

// What a guard demands besides the right to write. Refuses in OCM's words.
struct Demand {
  std::string group;
  std::string resource;     // "managedclustersets"
  std::string subresource;  // "join"
  std::string verb;
  std::string name;
};
Attempt<void> check_demand(const GuardedWrite& write, const Demand& demand, std::string_view why);

}  // namespace berth::apiserver
