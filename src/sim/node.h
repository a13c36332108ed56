// One simulated machine: its clock, its disk, and the process that runs on it.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "sim/machine_disk.h"
#include "sim/node_clock.h"
#include "sim/process.h"

namespace berth::sim {

class World;

struct NodeOptions {
  ClockOptions clock = {};
  std::size_t loops = 1;  // Loops of its process.
  bool crashes = true;    // Whether faults may crash it; a checker's own machine says no.
};

enum class Crash {
  Process,  // As kill -9: what was written stays, peers hear a reset.
  Power,    // What was not synced is lost as the disk's options say; peers hear nothing.
};

class Node {
 public:
  Node(World& world, std::string name, NodeOptions options);

  const std::string& name() const { return name_; }
  const NodeOptions& options() const { return options_; }
  NodeClock& clock() { return clock_; }
  MachineDisk& disk() { return disk_; }
  std::map<std::string, ChildProgram>& child_programs() { return child_programs_; }

  // Starts the program, with the next event. It is kept, and is what restart() starts again.
  void start(Program program);
  void crash(Crash kind);
  void restart();
  void restart_after(Duration length);  // Unless somebody does so earlier.
  bool is_running() const { return process_ != nullptr; }

  // The running process's; nothing lives across a crash.
  Process* process() { return process_.get(); }

 private:
  World& world_;
  std::string name_;
  NodeOptions options_;
  NodeClock clock_;
  MachineDisk disk_;
  std::map<std::string, ChildProgram> child_programs_;
  Program program_;
  std::shared_ptr<Process> process_;
  std::uint64_t lives_ = 0;
};

}  // namespace berth::sim
