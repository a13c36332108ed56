// The parts of one agent between its cluster and its hub: what `berth agent` runs on its loop.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/agent_part.h"
#include "app/agent_registration.h"
#include "app/operations_flags.h"
#include "client/api_service.h"
#include "control/operations_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::app {

struct AgentSettings {
  client::ClientConfig cluster;
  std::optional<client::ClientConfig> hub = std::nullopt;  // Absent: the agent registers itself.
  RegistrationOptions registration = {};                   // For that.
  std::string cluster_name = {};
  std::string host = {};
  std::map<std::string, MakeAgentPart> parts = {};  // By name.
  OperationsAddresses operations = {};
};

// As "berth agent ARGUMENTS" would run it. Errors name the flag.
Result<AgentSettings> agent_settings(const std::vector<std::string>& arguments, env::Env& env);

class AgentProgram {
 public:
  // Ended because of that; ok after stop().
  using Ended = std::function<void(const Status&)>;

  // `ended` runs once, later, on the loop.
  AgentProgram(const env::Env& env, AgentSettings settings, Ended ended);

  void start();

  // Not ready any more, lets the parts give back what others wait for, ends them and what is open;
  // then `ended`.
  void stop();

 private:
  void make_parts(std::unique_ptr<client::Api> hub, const std::string& cluster_name);
  void drop_parts();
  void drain();
  Status start_registration();
  Status readiness_of(const std::string& part) const;
  void end(const Status& status);

  env::Env env_;
  AgentSettings settings_;
  Ended ended_;
  client::Api cluster_;
  std::unique_ptr<client::Api> hub_;  // While the agent is known there.
  control::Operations operations_;
  std::unique_ptr<AgentRegistration> registration_;
  std::map<std::string, std::unique_ptr<AgentPart>> parts_;
  bool stopping_ = false;
  env::Scope scope_;
};

}  // namespace berth::app
