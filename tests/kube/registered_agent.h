// A registration agent inside the test: joins a cluster of the test to a hub of the test.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "client/api_service.h"
#include "fleet/registration/registration_agent_controller.h"
#include "fleet/registration/secret_store_service.h"
#include "kube/server.h"
#include "runtime/system.h"

namespace berth::kube {

class RegisteredAgent {
 public:
  struct Options {
    const Server& cluster;
    std::filesystem::path bootstrap;  // A kubeconfig.
    fleet::RegistrationSettings settings = {};
    std::string secret = std::string(fleet::kHubSecret);  // Its name on the cluster.
  };

  // Runs until its death.
  explicit RegisteredAgent(Options options);
  ~RegisteredAgent();

  std::string state();

 private:
  runtime::System system_;
  std::unique_ptr<client::Api> api_;
  std::unique_ptr<fleet::SecretStore> store_;
  std::unique_ptr<fleet::RegistrationAgent> agent_;
};

}  // namespace berth::kube
