// A world in one thread: machines, their network, and a clock that jumps from event to event. The
// same seed gives the same run, down to the last byte.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "env/log.h"
#include "sim/fabric.h"
#include "sim/memory_log.h"
#include "sim/node.h"
#include "sim/schedule.h"
#include "sim/trace.h"

namespace berth::sim {

struct WorldOptions {
  std::uint64_t seed = 1;
  env::Level log_level = env::Level::Info;
  std::size_t log_lines_max = 200;
};

class World {
 public:
  explicit World(WorldOptions options);
  ~World();

  Node& add_node(const std::string& name, NodeOptions options = {});
  Node& node(const std::string& name) { return *nodes_.at(name); }
  std::vector<Node*> nodes();  // By name.

  Moment now() const { return schedule_.now(); }
  const WorldOptions& options() const { return options_; }
  Schedule& schedule() { return schedule_; }
  Trace& trace() { return trace_; }
  Fabric& fabric() { return fabric_; }
  LogTail& log() { return log_; }

  // The root: subsystems take a stream of their own by name and leave this one alone.
  const Random& random() const { return random_; }

  // Replaces the certificates of this world by others; what has some sets it. A fault calls it.
  std::function<void()> rotate_certificates;

  // Runs all events of this length of time.
  void run_for(Duration length);

  // Runs until it holds, asking after every event. False if that took longer than `at_most`.
  bool run_until(const std::function<bool()>& holds, Duration at_most);

 private:
  void step();

  WorldOptions options_;
  Schedule schedule_;
  Trace trace_;
  Random random_;
  Fabric fabric_;
  LogTail log_;
  std::map<std::string, std::unique_ptr<Node>> nodes_;
};

}  // namespace berth::sim
