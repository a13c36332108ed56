// Approves the certificate requests of add-ons' agents that are what was agreed upon, and leaves
// all others to an administrator.

#pragma once

#include <string>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/addons/addon_kinds_controller.h"
#include "fleet/addons/names.h"

namespace berth::fleet {

class AddOnApprovalController {
 public:
  // All that is borrowed outlives the controller.
  AddOnApprovalController(const env::Env& env, client::Api& api, client::Informers& informers,
                          const control::MayWrite& may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  void refresh(AddOnResource kind, const client::ObjectKey& key);
  void work(const std::string& name);

  // Nothing when the request may be approved; else why not.
  Status check(const client::Object& request, const AddOnKey& key) const;
  void approve(const client::Object& request);

  env::Env env_;
  control::Committer committer_;
  control::Reconciler<std::string> reconciler_;
  AddOnFollowed followed_;
  env::Scope scope_;
};

}  // namespace berth::fleet
