// Ends namespaces: everything inside is deleted, pods before the rest, and when nothing is left
// the namespace loses the finalizer that kept it.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "control/retry_delays.h"
#include "env/env.h"
#include "env/scope.h"
#include "upkeep/namespace_teardown.h"
#include "upkeep/served_service.h"
#include "upkeep/sweeper_service.h"

namespace berth::upkeep {

class NamespacesController {
 public:
  // All that is borrowed outlives the controller.
  NamespacesController(const env::Env& env, client::Api& api, client::Informers& informers,
                       Served& served, const control::MayWrite& may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind { Namespaces };

  // One pass over one namespace.
  struct Pass {
    json::Value object;  // The namespace as it was read.
    std::vector<client::ResourceInfo> resources = {};
    std::size_t next = 0;
    Teardown found = {};
  };
  using PassPtr = std::shared_ptr<Pass>;

  void work(const std::string& name);
  void begin(const std::string& name, Result<json::Value> live);
  void on_looked(const std::string& name, const PassPtr& pass, const Status& status);
  void sweep_next(const std::string& name, const PassPtr& pass);
  void conclude(const std::string& name, const PassPtr& pass);
  void write_status(const std::string& name, const PassPtr& pass);
  void finalize(const std::string& name, const PassPtr& pass);
  void come_again(const std::string& name, Duration at_least);

  env::Env env_;
  client::Api& api_;
  Served& served_;
  control::MayWrite may_write_;
  Sweeper sweeper_;
  control::Committer committer_;
  control::RetryDelays<std::string> delays_;
  control::Reconciler<std::string> reconciler_;
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::upkeep
