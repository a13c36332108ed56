// Tested by tests/kube/up_test.cc.
#include "app/up/inner_processes.h"

#include <memory>
#include <utility>
#include <vector>

#include "app/agent_program.h"

namespace berth::app {

class InnerAgent final : public env::Child {
 public:
  InnerAgent(InnerProcesses& all, AgentSettings settings, std::move_only_function<void(int)> ended)
      : all_(all), settings_(std::move(settings)), ended_(std::move(ended)) {
    all_.agents_.insert(this);
    set_hanging(all_.are_hanging_);
  }
  ~InnerAgent() override { all_.agents_.erase(this); }

  // Whoever hangs does not hear it either.
  void terminate() override {
    if (program_) program_->stop();
  }

  void set_hanging(bool hanging) {
    program_.reset();
    if (hanging) return;
    program_ = std::make_unique<AgentProgram>(all_.env_, settings_, [this](const Status& status) {
      ended_(status.ok() ? 0 : 1);  // It destroys us.
    });
    program_->start();
  }

 private:
  InnerProcesses& all_;
  AgentSettings settings_;
  std::move_only_function<void(int)> ended_;
  std::unique_ptr<AgentProgram> program_;  // Null while it hangs.
};

void InnerProcesses::set_hanging(bool hanging) {
  if (std::exchange(are_hanging_, hanging) == hanging) return;
  for (InnerAgent* agent : agents_) agent->set_hanging(hanging);
}

Result<std::unique_ptr<env::Child>> InnerProcesses::start(
    const env::Command& command, std::move_only_function<void(int)> ended) {
  const bool is_agent = !command.arguments.empty() && command.arguments.front() == "agent";
  if (!is_agent) return env_.processes.start(command, std::move(ended));
  std::vector<std::string> arguments(command.arguments.begin() + 1, command.arguments.end());
  arguments.insert(arguments.end(), more_.begin(), more_.end());
  // The environment is that of the whole process.
  if (const auto kubeconfig = command.environment.find("KUBECONFIG");
      kubeconfig != command.environment.end()) {
    arguments.push_back("--kubeconfig=" + kubeconfig->second);
  }
  ASSIGN_OR_RETURN(AgentSettings settings, agent_settings(arguments, env_));
  return std::make_unique<InnerAgent>(*this, std::move(settings), std::move(ended));
}

}  // namespace berth::app
