// Processes that are none: what would run as "berth agent ..." runs inside of this one, on the same
// loop. Thousands of them cost what they do, not a process each.

#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "env/env.h"

namespace berth::app {

class InnerAgent;

class InnerProcesses final : public env::Processes {
 public:
  // All other programs are started by the processes of `env`. `more` is added to the arguments of
  // every agent.
  InnerProcesses(const env::Env& env, std::vector<std::string> more)
      : env_(env), more_(std::move(more)) {}

  // Whether those inside hang: they are there and do nothing, also those that start meanwhile.
  void set_hanging(bool hanging);

  void run(env::Command command, std::move_only_function<void(Result<env::Exit>)> done) override {
    env_.processes.run(std::move(command), std::move(done));
  }
  Result<std::unique_ptr<env::Child>> start(const env::Command& command,
                                            std::move_only_function<void(int)> ended) override;

 private:
  friend InnerAgent;

  env::Env env_;
  std::vector<std::string> more_;
  bool are_hanging_ = false;
  std::set<InnerAgent*> agents_;  // Never visited in an order that matters.
};

}  // namespace berth::app
