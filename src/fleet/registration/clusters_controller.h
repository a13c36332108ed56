// Keeps the managed clusters of a hub in order: carries out the plans of cluster_plan.h.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "control/recorder_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/registration/cluster_plan.h"

namespace berth::fleet {

class ClustersController {
 public:
  // All that is borrowed outlives the controller.
  ClustersController(const env::Env& env, client::Api& api, client::Informers& informers,
                     control::RecorderService& recorder, control::MayWrite may_write,
                     HubOptions options = {});

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  // The newest renewal of a lease, and when it was seen to happen.
  struct Renewal {
    std::string renew_time;
    std::optional<Time> seen = std::nullopt;
  };

  // What the hub itself says, gathered one after the other.
  struct Inventory {
    std::vector<Remainder> contents = {};
    std::optional<json::Value> home = std::nullopt;
    std::optional<json::Value> lease = std::nullopt;
  };
  using InventoryPtr = std::shared_ptr<Inventory>;

  void refresh(HubKind kind, const client::ObjectKey& key);
  void note_renewal(const std::string& cluster);
  void work(const std::string& cluster);
  ClusterSituation situation_of(const std::string& cluster);
  const json::Value* find(HubKind kind, std::string ns, std::string name);
  void read_contents(const std::string& cluster, const InventoryPtr& inventory);
  void read_home(const std::string& cluster, const InventoryPtr& inventory);
  void read_lease(const std::string& cluster, const InventoryPtr& inventory);
  void plan_with(const std::string& cluster, const InventoryPtr& inventory);
  void give_up(const std::string& cluster, const Error& error);
  void carry_out(const std::string& cluster, ClusterPlan plan);
  void submit(const std::string& cluster, std::vector<ObjectChange> changes);
  void tell_unreachable(const std::string& cluster);

  env::Env env_;
  client::Api& api_;
  control::RecorderService& recorder_;
  HubOptions options_;
  std::map<std::string, Renewal> renewals_;  // By cluster.
  std::vector<client::ObjectPtr> held_;      // What the situation at hand points to.
  control::Committer committer_;
  control::Reconciler<std::string> reconciler_;  // "" stands for the roles that all share.
  control::Followed<HubKind> followed_;
  env::Scope scope_;
};

}  // namespace berth::fleet
