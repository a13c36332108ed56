// One life of a program on a simulated machine, from its start to its crash.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/env.h"
#include "sim/fabric.h"
#include "sim/machine_disk.h"
#include "sim/memory_log.h"
#include "sim/memory_metrics.h"
#include "sim/node_clock.h"
#include "sim/sim_loop.h"

namespace berth::sim {

// Makes what runs in a process, wired to one Env per loop; destroyed when the process ends. Nobody
// else keeps it alive.
using Program = std::function<std::shared_ptr<void>(std::span<env::Env> loops)>;

// What stands for the programs that a machine could run as children.
using ChildProgram = std::function<env::Exit(const env::Command& command)>;

// What a process finds on its machine.
struct Surroundings {
  std::string host;
  Schedule& schedule;
  Trace& trace;
  Fabric& fabric;
  NodeClock& clock;
  MachineDisk& disk;
  LogTail& log;
  env::Level log_level;
  Random random;  // Its entropy.
  std::size_t loops;
  const std::map<std::string, ChildProgram>& child_programs;
};

class Process {
 public:
  explicit Process(Surroundings surroundings);
  ~Process();

  void start(const Program& program);

  // From now on nothing that the program does has an effect, and nothing reaches it. The program
  // itself is destroyed by end(), because it may be on the stack.
  void kill();
  void end();

  // As SIGSTOP and SIGCONT: it does nothing until then, and its machine takes what is sent to it.
  void pause_for(Duration length);
  void wake();
  bool is_paused() const;

  std::span<env::Env> loops() { return envs_; }
  const MemoryMetrics& metrics() const { return metrics_; }

 private:
  struct LoopParts;

  Surroundings surroundings_;
  MemoryMetrics metrics_;
  std::vector<std::unique_ptr<LoopParts>> parts_;
  std::vector<env::Env> envs_;
  std::shared_ptr<void> running_;
};

}  // namespace berth::sim
