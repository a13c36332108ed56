// Carries add-ons to their clusters: rights and identities of their agents, works, and the status
// of every ManagedClusterAddOn.

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/addons/addon_deployment.h"
#include "fleet/addons/addon_kinds_controller.h"
#include "fleet/addons/names.h"

namespace berth::fleet {

class AddOnDeployController {
 public:
  // All that is borrowed outlives the controller.
  AddOnDeployController(const env::Env& env, client::Api& api, client::Informers& informers,
                        const control::MayWrite& may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  // Writes that follow each other: what is bound before what runs, both before it is told.
  struct Stage {
    enum class Kind { Bindings, Works, Managed };

    Kind kind;
    std::vector<control::Change> changes = {};
  };
  using Stages = std::vector<Stage>;

  void refresh(AddOnResource kind, const client::ObjectKey& key);
  void refresh_add_on(const client::ObjectKey& key);
  void refresh_cluster(const client::ObjectKey& key);
  void refresh_binding(const client::ObjectKey& key);
  void add_in_namespace(const std::string& cluster);
  void add_with_config(const ConfigKind& kind, const client::ObjectKey& key);

  void work(const AddOnKey& key);
  void clear_away(const AddOnKey& key);
  std::optional<AddOn> add_on_of(const client::Object& managed) const;
  Stages plan(const AddOnKey& key, const AddOn& add_on, const client::Object& managed);
  Stages stages_of(const AddOnKey& key, const client::Object& managed, AddOnDeploymentPlan plan);
  void run(const AddOnKey& key, std::shared_ptr<Stages> stages);
  void on_stage(const AddOnKey& key, const std::shared_ptr<Stages>& stages, Stage::Kind kind,
                const Status& status);

  env::Env env_;
  ConfigHashes hashes_;
  BesideStatus add_ons_;
  std::map<std::string, std::string> clusters_;     // What of a cluster matters here.
  std::map<client::ObjectKey, AddOnKey> bindings_;  // Those of add-ons.
  std::map<AddOnKey, std::set<client::ObjectKey>> bindings_of_;
  std::map<AddOnKey, AddOnRefusals> refusals_;
  control::Committer committer_;
  control::Reconciler<AddOnKey> reconciler_;
  AddOnFollowed followed_;
  env::Scope scope_;
};

}  // namespace berth::fleet
