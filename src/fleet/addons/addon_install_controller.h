// Installs add-ons where their placements say, and removes them where none says so any more.

#pragma once

#include <map>
#include <string>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/addons/addon_kinds_controller.h"
#include "fleet/addons/addon_options.h"
#include "fleet/addons/installation.h"

namespace berth::fleet {

class AddOnInstallController {
 public:
  // All that is borrowed outlives the controller.
  AddOnInstallController(const env::Env& env, client::Api& api, client::Informers& informers,
                         const control::MayWrite& may_write, const AddOnOptions& options);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  void refresh(AddOnResource kind, const client::ObjectKey& key);
  void add_all();
  void work(const std::string& name);
  void submit(const std::string& name, std::vector<control::Change> changes);
  void look_again(const std::string& name, std::optional<Time> when);

  env::Env env_;
  AddOnOptions options_;
  std::map<std::string, UnsettledSince> unsettled_;  // By add-on.
  std::map<std::string, bool> clusters_;             // Known ones; whether they stay.
  BesideStatus add_ons_;
  BesideStatus managed_;
  control::Committer committer_;
  control::Reconciler<std::string> reconciler_;
  AddOnFollowed followed_;
  env::Scope scope_;
};

}  // namespace berth::fleet
