// Approves the certificate requests with which accepted agents renew their own certificates. All
// others stay for an administrator.

#pragma once

#include <string>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::fleet {

class RenewalsController {
 public:
  // All that is borrowed outlives the controller.
  RenewalsController(const env::Env& env, client::Api& api, client::Informers& informers,
                     control::MayWrite may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind { Requests };

  void work(const std::string& name);
  void approve(const std::string& name, const json::Value& request);
  void finish(const std::string& name, const Status& status);

  env::Env env_;
  client::Api& api_;
  control::MayWrite may_write_;
  control::Reconciler<std::string> reconciler_;
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::fleet
