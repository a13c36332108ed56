// Gets the agent its certificate and the next one in time: carries out certificate_step.h.

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "api/conditions.h"
#include "client/api_service.h"
#include "client/informer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/registration/certificate_step.h"
#include "fleet/registration/secret_store_service.h"

namespace berth::fleet {

struct CertificateWish {
  AgentName name;
  HubEndpoint endpoint;              // Goes into the secret with the certificate.
  Duration life = Duration::zero();  // Zero: what the hub gives.
  std::string in_use = {};           // The certificate, as DER, that its user goes by; "": none.
};

class CertificateController {
 public:
  // All that is borrowed outlives the controller. `renewed` runs, on the loop, when
  // another certificate than the one in use is stored; it may destroy the controller.
  CertificateController(const env::Env& env, client::Api& hub, SecretStore& store,
                        CertificateWish wish, std::function<void()> renewed);

  // What it waits for; "" when all is well.
  const std::string& waits_for() const { return waits_for_; }

  // The request is on the hub; it is up to others.
  bool is_waiting() const { return is_waiting_; }

  // ClusterCertificateRotated, when there is something to tell.
  const std::optional<api::Condition>& condition() const { return condition_; }

 private:
  void work();
  void follow(HubSecret secret);
  void make_key(HubSecret secret);
  void ask(const pki::PrivateKey& key);
  void end_asking();
  void take(HubSecret secret, std::string certificate_pem);
  void hand_over();
  void rest(Duration length);
  void fail(const Error& error);
  void wait_for(std::string what);

  env::Env env_;
  client::Api& hub_;
  SecretStore& store_;
  CertificateWish wish_;
  std::function<void()> renewed_;
  double renewal_share_;
  std::string waits_for_ = {};
  std::optional<api::Condition> condition_ = std::nullopt;
  bool is_waiting_ = false;
  bool is_asking_ = false;
  env::Timer patience_ = {};
  client::InformerService requests_;
  control::Reconciler<int> reconciler_;
  env::Scope scope_;
};

// The condition after a rotation, in OCM's words.
api::Condition rotated_condition(const pki::Certificate& certificate);

}  // namespace berth::fleet
