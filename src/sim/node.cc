// Tested by world_test.cc.

#include "sim/node.h"

#include <utility>

#include "base/check.h"
#include "sim/world.h"

namespace berth::sim {

Node::Node(World& world, std::string name, NodeOptions options)
    : world_(world),
      name_(std::move(name)),
      options_(options),
      clock_(options.clock),
      disk_(world.random().stream("disk " + name_)) {}

void Node::start(Program program) {
  CHECK(!is_running());
  program_ = std::move(program);
  restart();
}

void Node::restart() {
  if (is_running()) return;
  ++lives_;
  world_.trace().add("start", world_.now(), name_, lives_);
  world_.fabric().set_powered(name_, true);
  const Random random = world_.random().stream(name_ + " life " + std::to_string(lives_));
  process_ = std::make_shared<Process>(Surroundings{.host = name_,
                                                    .schedule = world_.schedule(),
                                                    .trace = world_.trace(),
                                                    .fabric = world_.fabric(),
                                                    .clock = clock_,
                                                    .disk = disk_,
                                                    .log = world_.log(),
                                                    .log_level = world_.options().log_level,
                                                    .random = random,
                                                    .loops = options_.loops,
                                                    .child_programs = child_programs_});
  // With the next event, after the last life has been cleared away.
  world_.schedule().add(world_.now(), [this, process = process_] {
    if (process == process_) process->start(program_);
  });
}

void Node::restart_after(Duration length) {
  world_.schedule().add(world_.now() + length, [this, life = lives_] {
    if (life == lives_) restart();
  });
}

void Node::crash(Crash kind) {
  if (!is_running()) return;
  world_.trace().add("crash", world_.now(), name_, static_cast<int>(kind));
  const std::shared_ptr<Process> process = std::exchange(process_, nullptr);
  process->kill();
  if (kind == Crash::Power) {
    world_.fabric().set_powered(name_, false);
    world_.fabric().drop_streams_of(name_);
    disk_.lose_power();
  }
  world_.schedule().add(world_.now(), [process] { process->end(); });
}

}  // namespace berth::sim
