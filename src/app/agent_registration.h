// The part of `berth agent` that makes the cluster known on a hub, and gives the other parts their
// way to it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/api_service.h"
#include "env/env.h"
#include "fleet/registration/registration_agent_controller.h"

namespace CLI {
class App;
}

namespace berth::app {

struct RegistrationFlags {
  std::string bootstrap_kubeconfig = {};  // A file; empty: the Secret.
  std::string folder = {};                // Where to keep the identity; empty: a Secret.
  std::string ns = std::string(fleet::kAgentNamespace);
  std::string agent = {};
  std::vector<std::string> server_urls = {};
  std::vector<std::string> annotations = {};  // KEY=VALUE
  std::size_t claims_max = fleet::ClaimOptions().custom_max;
  std::vector<std::string> claim_suffixes = {};
  std::string health_period = "60s";
  std::int64_t certificate_seconds = 0;
};

void add_registration_flags(CLI::App& command, RegistrationFlags& flags);

struct RegistrationOptions {
  RegistrationFlags flags;
  fleet::RegistrationSettings settings;
};

// Errors name the flag.
Result<RegistrationOptions> registration_options(const RegistrationFlags& flags,
                                                 const std::string& cluster_name);

class AgentRegistration {
 public:
  // The cluster's Api outlives it. Fails if the folder is in use.
  static Result<std::unique_ptr<AgentRegistration>> start(
      const env::Env& env, client::Api& cluster, const RegistrationOptions& options,
      fleet::RegistrationAgent::Listener listener);

  // Ok when the hub has accepted the cluster; else what it waits for.
  Status readiness() const;

 private:
  AgentRegistration() = default;

  std::unique_ptr<fleet::SecretStore> store_;
  std::unique_ptr<fleet::RegistrationAgent> agent_;
};

}  // namespace berth::app
