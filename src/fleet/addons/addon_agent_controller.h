// What the agent of a cluster does for the add-ons on it: gets each its credentials, and tells the
// hub whether those are well whose health is a lease.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "client/api_service.h"
#include "client/informer_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/addons/addon_identity_controller.h"

namespace berth::fleet {

struct AddOnAgentSettings {
  std::string cluster;  // Its name on the hub.
  HubEndpoint hub;      // Goes into the add-ons' kubeconfigs.
  Duration health_period = std::chrono::seconds(30);
};

class AddOnAgent {
 public:
  // All that is borrowed outlives the agent.
  AddOnAgent(const env::Env& env, client::Api& hub, client::Api& cluster,
             AddOnAgentSettings settings);

  bool has_synced() const { return managed_.has_synced() && requests_.has_synced(); }

 private:
  // One secret on the cluster: what it is for and where it is. Another subject is another identity.
  struct Place {
    std::string signer;
    std::string user;
    std::string ns;

    auto operator<=>(const Place&) const = default;
  };
  using Identities = std::map<Place, std::unique_ptr<AddOnIdentityController>>;

  void work(const std::string& add_on);
  void keep_identities(const std::string& add_on, const json::Value& managed);
  void forget(const std::string& add_on, const Place& place);
  void report(const std::string& add_on, const client::Object& managed);
  void write(const std::string& add_on, const client::Object& managed, json::Value status);
  void tick();

  env::Env env_;
  client::Api& hub_;
  client::Api& cluster_;
  AddOnAgentSettings settings_;
  client::InformerService managed_;
  client::InformerService requests_;
  std::map<std::string, Identities> identities_;  // By add-on.
  control::Committer committer_;
  control::Reconciler<std::string> reconciler_;
  env::Timer tick_ = {};
  env::Scope scope_;
};

}  // namespace berth::fleet
