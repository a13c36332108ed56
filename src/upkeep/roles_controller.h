// Keeps the rules of aggregated ClusterRoles equal to those of the roles that they are made of.

#pragma once

#include <string>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::upkeep {

class RolesController {
 public:
  // All that is borrowed outlives the controller.
  RolesController(const env::Env& env, client::Api& api, client::Informers& informers,
                  const control::MayWrite& may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind { Roles };

  void enqueue_aggregated();
  void work(const std::string& name);

  env::Env env_;
  control::Committer committer_;
  control::Reconciler<std::string> reconciler_;
  bool scheduled_ = false;
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::upkeep
