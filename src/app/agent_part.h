// A part of `berth agent`: one job that the agent does for its cluster. A further part is one file
// that implements both interfaces, and one line in agent_parts().

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/api_service.h"
#include "env/env.h"

namespace CLI {
class App;
}

namespace berth::app {

// What parts find when they start; all of it outlives them.
struct AgentWorld {
  const env::Env& env;
  client::Api& cluster;  // The managed cluster.
  client::Api& hub;
  std::string cluster_name;  // On the hub.
  std::string host;          // Names this process.
};

// A running part: it works until it dies.
class AgentPart {
 public:
  virtual ~AgentPart() = default;

  // Ok while it does its job; if not, what keeps it from that.
  virtual Status readiness() const = 0;

  // Before it dies because the program ends: gives back what others wait for, then `done`.
  virtual void release(env::Task done) { done(); }
};

using MakeAgentPart = std::function<std::unique_ptr<AgentPart>(const AgentWorld&)>;

// The same part on the command line.
class AgentPartCommand {
 public:
  virtual ~AgentPartCommand() = default;

  virtual std::string_view name() const = 0;  // As --parts takes it.
  virtual void add_flags(CLI::App& command) = 0;

  // After the command line was read: what is wrong with the flags, or how to make the part.
  virtual Result<MakeAgentPart> configure() const = 0;
};

std::vector<std::unique_ptr<AgentPartCommand>> agent_parts();  // All of them.

std::unique_ptr<AgentPartCommand> scores_part();
std::unique_ptr<AgentPartCommand> generators_part();
std::unique_ptr<AgentPartCommand> work_part();
std::unique_ptr<AgentPartCommand> add_ons_part();
std::unique_ptr<AgentPartCommand> hosting_part();

}  // namespace berth::app
