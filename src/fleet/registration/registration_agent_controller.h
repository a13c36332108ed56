// The registration agent of one managed cluster: joins a hub, stays known there, and begins anew
// when its certificate expires or the hub changes.
//
//            no good certificate                 certificate stored
//   begin ------------------------> bootstrap ------------------------> begin
//     |  good certificate                                                 ^
//     +------------------> session: lease, status, renewal ---------------+
//                                   renewed, expired, or another hub

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/api_service.h"
#include "client/client_config.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/registration/certificate_controller.h"
#include "fleet/registration/endpoint_service.h"
#include "fleet/registration/secret_store_service.h"
#include "fleet/registration/session_controller.h"

namespace berth::fleet {

struct RegistrationSettings {
  AgentName name = {};  // What is left empty is taken from the secret, or invented.
  std::vector<std::string> server_urls = {};            // Where the hub's users reach the cluster.
  std::string server_authority = {};                    // In PEM, for those.
  std::map<std::string, std::string> annotations = {};  // agent.open-cluster-management.io/...
  ClaimOptions claims = {};
  Duration health_period = std::chrono::minutes(1);
  Duration certificate_life = Duration::zero();  // Zero: what the hub gives.
};

class RegistrationAgent {
 public:
  // Called on the loop. `ready` with every new identity: the Api has it, and may carry others.
  // `lost` when there is none any more.
  struct Listener {
    std::function<void(const client::Api& hub, const AgentName& name)> ready =
        [](const client::Api&, const AgentName&) {};
    std::function<void()> lost = [] {};
  };

  // All that is borrowed outlives the agent: the cluster's Api, the store, and what the function
  // that loads the bootstrap kubeconfig uses.
  RegistrationAgent(const env::Env& env, client::Api& cluster, SecretStore& store,
                    LoadBootstrap load_bootstrap, RegistrationSettings settings, Listener listener);
  ~RegistrationAgent();

  void start() { begin(); }

  // For health endpoints and people: "joined", or what it waits for.
  std::string state() const;
  bool has_asked() const;  // Its request is on the hub, or it is known there already.
  bool is_joined() const { return session_ && session_->is_accepted(); }

 private:
  void begin();
  void decide(const Result<client::Kubeconfig>& bootstrap, const HubSecret& secret);
  void begin_bootstrap(const client::Kubeconfig& kubeconfig, const HubEndpoint& endpoint);
  void begin_session(const HubEndpoint& endpoint, const HubIdentity& identity);
  void ensure_cluster();
  void look_at_cluster(const std::string& missing);
  void wait_for_cluster(const std::string& why);
  void go_on();
  void end_phase();
  void retry(std::string why);
  void look_again();
  void on_bootstrap_seen(const Result<client::Kubeconfig>& bootstrap);
  void look_out(const HubEndpoint& endpoint);
  void follow_certificate();

  env::Env env_;
  client::Api& cluster_;
  SecretStore& store_;
  LoadBootstrap load_bootstrap_;
  RegistrationSettings settings_;
  Listener listener_;
  AgentName name_ = {};
  AgentName invented_ = {};
  std::string trouble_ = {};
  json::Value bootstrap_seen_ = {};
  std::optional<HubEndpoint> endpoint_ = std::nullopt;
  std::optional<pki::Certificate> known_by_ = std::nullopt;  // The certificate of the session.
  bool was_renewed_ = false;
  bool is_ready_ = false;
  std::unique_ptr<client::Api> hub_;
  std::unique_ptr<CertificateController> certificate_;
  std::unique_ptr<SessionController> session_;
  env::Timer retry_ = {};
  env::Timer look_ = {};
  env::Timer ensure_ = {};
  env::Scope scope_;
};

// The ManagedCluster that an agent makes of itself, if nobody has made it.
json::Value new_managed_cluster(const AgentName& name, const RegistrationSettings& settings);

}  // namespace berth::fleet
