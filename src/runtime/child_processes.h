// Child processes of the operating system.

#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "env/clock.h"
#include "env/process.h"
#include "runtime/io_loop.h"

namespace berth::runtime {

// Children that still run when it dies are killed.
class ChildProcesses final : public env::Processes {
 public:
  ChildProcesses(IoLoop& loop, const env::Clock& clock);
  ~ChildProcesses() override;

  void run(env::Command command, std::move_only_function<void(Result<env::Exit>)> done) override;
  Result<std::unique_ptr<env::Child>> start(const env::Command& command,
                                            std::move_only_function<void(int)> ended) override;

 private:
  class Child;

  IoLoop& loop_;
  const env::Clock& clock_;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, std::unique_ptr<Child>> children_;
};

}  // namespace berth::runtime
