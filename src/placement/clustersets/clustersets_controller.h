// Keeps cluster sets in order on a hub without OCM's registration: the two sets that always exist,
// the statuses of sets and bindings, the default set of new clusters, the age of new taints.

#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "placement/fleet/fleet_view.h"
#include "placement/fleet/watched_kinds.h"

namespace berth::placement {

class ClusterSetsController {
 public:
  // All that is borrowed outlives the controller.
  ClusterSetsController(const env::Env& env, client::Api& api, client::Informers& informers,
                        control::MayWrite may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  struct Key {
    Watched kind;
    api::ObjectKey object;

    auto operator<=>(const Key&) const = default;
  };

  void refresh(Watched kind, const api::ObjectKey& key);
  void add_set(const std::string& name);

  void work(const Key& key);

  // The object as it should be; nullopt: nobody needs it. `object` as it is may be null.
  std::optional<json::Value> wanted(const Key& key, const json::Value* object) const;
  std::optional<json::Value> wanted_set(const std::string& name, const json::Value* object) const;

  env::Env env_;
  FleetView fleet_;
  control::Committer committer_;
  control::Reconciler<Key> reconciler_;
  control::Followed<Watched> followed_;
  env::Scope scope_;
};

}  // namespace berth::placement
