// Hands configurations to the clusters of every add-on, as fast as its rollout allows, and tells
// how far that is.

#pragma once

#include <string>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/addons/addon_kinds_controller.h"
#include "fleet/addons/configuration.h"

namespace berth::fleet {

class AddOnConfigurationController {
 public:
  // All that is borrowed outlives the controller.
  AddOnConfigurationController(const env::Env& env, client::Api& api, client::Informers& informers,
                               const control::MayWrite& may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  void refresh(AddOnResource kind, const client::ObjectKey& key);
  void add_soon(const std::string& name);
  void work(const std::string& name);
  ConfigurationPlan plan(const AddOn& add_on, const client::Object& object,
                         const std::map<std::string, client::ObjectPtr>& managed);
  void submit(const std::string& name, std::vector<control::Change> changes);

  env::Env env_;
  ConfigHashes hashes_;
  Instant rests_until_ = {};
  control::Committer committer_;
  control::Reconciler<std::string> reconciler_;
  AddOnFollowed followed_;
  env::Scope scope_;
};

}  // namespace berth::fleet
