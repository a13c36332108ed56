// Does for workloads what a cluster's controller manager does: Deployments, ReplicaSets,
// StatefulSets, DaemonSets and Jobs get their pods, and their status tells of them.
//
// A workload is in work until the caches show what was written for it, so no plan is made on an
// old picture of its own pods.

#pragma once

#include <compare>
#include <vector>

#include "api/kinds/node.h"
#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "control/remembered_writes.h"
#include "env/env.h"
#include "env/scope.h"
#include "local/workload_plan.h"

namespace berth::local {

class WorkloadsController {
 public:
  // All that is borrowed outlives the controller; the caches are workload_caches().
  WorkloadsController(const env::Env& env, client::Api& api, client::Informers& caches,
                      control::MayWrite may_write);
  ~WorkloadsController();

  bool has_synced() const;
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  struct Key {
    Kind kind;
    client::ObjectKey object;

    auto operator<=>(const Key&) const = default;
  };
  struct Cache {
    Kind kind;
    client::InformerService& informer;
    client::HandlerId handler = 0;
  };

  void follow(Kind kind, client::InformerService& informer);
  void on_changed(Kind kind, const client::Object& object);
  void start_when_synced();
  void work(const Key& key);
  std::vector<api::Node> nodes() const;
  WorkloadPlan plan_of(const Key& key, const json::Value& object) const;
  void commit(const Key& key, WorkloadPlan plan);
  void await_caches(const Key& key, const control::RememberedWrites& writes);
  const client::InformerService& cache(Kind kind) const;

  env::Env env_;
  client::Api& api_;
  control::Committer committer_;
  control::Reconciler<Key> reconciler_;
  std::vector<Cache> caches_;
  env::Scope scope_;
};

}  // namespace berth::local
