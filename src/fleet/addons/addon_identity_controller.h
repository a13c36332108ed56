// Keeps one secret of an add-on on the managed cluster good: carries out addon_certificate.h.

#pragma once

#include <optional>
#include <string>

#include "client/api_service.h"
#include "client/informer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/addons/addon_certificate.h"
#include "fleet/registration/secret_store_service.h"

namespace berth::fleet {

class AddOnIdentityController {
 public:
  // All that is borrowed outlives the controller; `requests` are the add-ons' on this cluster.
  AddOnIdentityController(const env::Env& env, client::Api& hub, client::Api& cluster,
                          client::InformerService& requests, AddOnCredentials wanted,
                          std::string agent_namespace);
  ~AddOnIdentityController();

  // What it waits for; "" when all is well.
  const std::string& waits_for() const { return waits_for_; }

 private:
  void work();
  void follow(const HubSecret& secret);
  void ask(const json::Value& request);
  void rest(Duration length);
  void fail(const Error& error);

  env::Env env_;
  client::Api& hub_;
  client::InformerService& requests_;
  AddOnCredentials wanted_;
  KubeSecretStore store_;
  std::optional<pki::PrivateKey> pending_ = std::nullopt;
  std::string waits_for_ = {};
  client::HandlerId handler_ = 0;
  control::Reconciler<int> reconciler_;
  env::Scope scope_;
};

}  // namespace berth::fleet
