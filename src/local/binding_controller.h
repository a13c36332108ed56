// Binds pods to nodes in a cluster that has no scheduler.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "local/cluster_use.h"
#include "local/node_choice.h"

namespace berth::local {

class BindingController {
 public:
  // All that is borrowed outlives the controller; the caches are workload_caches(). Pods that name
  // another scheduler than the default one are left to it.
  BindingController(const env::Env& env, client::Api& api, client::Informers& caches,
                    control::MayWrite may_write);
  ~BindingController();

  bool has_synced() const { return pods_.has_synced() && nodes_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

  // As far as the caches show it.
  ClusterUse use() const;

 private:
  void on_changed(const client::ObjectKey& pod);
  void on_node();
  void start_when_synced();
  std::vector<NodeLoad> nodes() const;
  void work(const client::ObjectKey& key);
  void bind(const client::ObjectKey& key, const std::string& node);

  env::Env env_;
  client::Api& api_;
  control::MayWrite may_write_;
  control::Reconciler<client::ObjectKey> reconciler_;
  std::map<client::ObjectKey, std::string> assumed_;  // Bound, but the cache does not show it yet.
  client::InformerService& pods_;
  client::InformerService& nodes_;
  client::HandlerId pod_handler_ = 0;
  client::HandlerId node_handler_ = 0;
  env::Scope scope_;
};

}  // namespace berth::local
