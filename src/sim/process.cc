// Tested by world_test.cc.

#include "sim/process.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "env/scope.h"
#include "sim/sim_disk.h"
#include "sim/sim_network.h"

namespace berth::sim {
namespace {

class SimEntropy final : public env::Entropy {
 public:
  explicit SimEntropy(Random random) : random_(random) {}
  void fill(std::span<char> bytes) override {
    for (char& byte : bytes) byte = static_cast<char>(random_.below(256));
  }

 private:
  Random random_;
};

class InlineWorkers final : public env::Workers {
 public:
  void for_each(std::size_t n, const std::function<void(std::size_t)>& f) override {
    serial_for(n, f);
  }
};

// Runs until it is told to end.
class SimChild final : public env::Child {
 public:
  SimChild(SimLoop& loop, std::move_only_function<void(int)> ended)
      : loop_(loop), ended_(std::move(ended)) {}

  void end(int status) {
    loop_.post(scope_.guard([this, status] {
      if (auto ended = std::exchange(ended_, nullptr)) ended(status);
    }));
  }
  void terminate() override { end(128 + SIGTERM); }

 private:
  SimLoop& loop_;
  std::move_only_function<void(int)> ended_;
  env::Scope scope_;
};

class SimProcesses final : public env::Processes {
 public:
  SimProcesses(SimLoop& loop, const std::map<std::string, ChildProgram>& programs)
      : loop_(loop), programs_(programs) {}

  void run(env::Command command, std::move_only_function<void(Result<env::Exit>)> done) override {
    loop_.post([this, command = std::move(command), done = std::move(done)]() mutable {
      const auto program = programs_.find(command.program);
      if (program == programs_.end()) {
        return done(failure(Code::NotFound, "run " + command.program + ": no such program"));
      }
      done(program->second(command));
    });
  }

  // A program that answers with a status other than 0 ends with it; others run on.
  Result<std::unique_ptr<env::Child>> start(const env::Command& command,
                                            std::move_only_function<void(int)> ended) override {
    const auto program = programs_.find(command.program);
    if (program == programs_.end()) {
      return failure(Code::NotFound, "run " + command.program + ": no such program");
    }
    const int status = program->second(command).status;
    auto child = std::make_unique<SimChild>(loop_, std::move(ended));
    if (status != 0) child->end(status);
    return child;
  }

 private:
  SimLoop& loop_;
  const std::map<std::string, ChildProgram>& programs_;
};

}  // namespace

struct Process::LoopParts {
  LoopParts(const Surroundings& around, Random random)
      : loop(std::make_shared<SimLoop>(around.schedule, around.clock)),
        clock(*loop, around.clock),
        network(around.fabric, around.host, *loop),
        disk(around.disk, *loop),
        entropy(random),
        log(around.log_level, around.host, clock, around.log, around.trace),
        processes(*loop, around.child_programs) {}

  std::shared_ptr<SimLoop> loop;
  LoopClock clock;
  SimNetwork network;
  SimDisk disk;
  SimEntropy entropy;
  MemoryLog log;
  InlineWorkers workers;
  SimProcesses processes;
};

Process::Process(Surroundings surroundings) : surroundings_(std::move(surroundings)) {
  for (std::size_t i = 0; i < surroundings_.loops; ++i) {
    const Random random = surroundings_.random.stream("loop " + std::to_string(i));
    parts_.push_back(std::make_unique<LoopParts>(surroundings_, random));
    LoopParts& parts = *parts_.back();
    envs_.push_back({parts.clock, *parts.loop, parts.network, parts.disk, parts.entropy, parts.log,
                     metrics_, parts.workers, parts.processes});
  }
}

Process::~Process() {
  kill();
  end();
}

void Process::start(const Program& program) { running_ = program(envs_); }

void Process::kill() {
  for (const auto& parts : parts_) parts->loop->kill();
}

void Process::end() { running_.reset(); }

void Process::pause_for(Duration length) {
  for (const auto& parts : parts_) parts->loop->block_for(length);
}

void Process::wake() {
  for (const auto& parts : parts_) parts->loop->wake();
}

bool Process::is_paused() const {
  return std::ranges::any_of(parts_, [](const auto& parts) { return parts->loop->is_blocked(); });
}

}  // namespace berth::sim
