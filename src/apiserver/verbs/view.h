// View: everything outside of a request that its answer may depend on.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/auth/rbac.h"
#include "apiserver/hub_facts.h"
#include "apiserver/registry.h"
#include "apiserver/user.h"
#include "base/random.h"
#include "base/time.h"
#include "store/snapshot.h"

namespace berth::apiserver {

struct View {
  store::SnapshotPtr snapshot;
  std::shared_ptr<const Registry> registry;
  std::shared_ptr<const Rbac> rbac;
  std::shared_ptr<const HubFacts> facts;
  Time now;
  Random& random;  // For generated names.
  std::function<std::string()> new_uid;

  // The objects as they were at an earlier revision; null when that is not known any more.
  std::function<store::SnapshotPtr(store::Revision)> snapshot_at;

  // The object of that table, parsed; null when there is none.
  std::optional<json::Value> find(std::string_view table, std::string_view name) const;
};

// "NAMESPACE/NAME" or "NAME": under what the store keeps an object.
std::string table_name(std::string_view ns, std::string_view name);

}  // namespace berth::apiserver
