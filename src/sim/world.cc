#include "sim/world.h"

#include "base/check.h"

namespace berth::sim {

World::World(WorldOptions options)
    : options_(options),
      random_(options.seed),
      fabric_(schedule_, trace_, random_.stream("network")),
      log_(options.log_lines_max) {}

World::~World() {
  // What waits in the schedule may own streams and processes, which need the rest of the world to
  // die in.
  for (Node* node : nodes()) node->crash(Crash::Process);
  schedule_.clear();
}

Node& World::add_node(const std::string& name, NodeOptions options) {
  CHECK(!nodes_.contains(name));
  fabric_.add_host(name);
  return *(nodes_[name] = std::make_unique<Node>(*this, name, options));
}

std::vector<Node*> World::nodes() {
  std::vector<Node*> nodes;
  for (const auto& [name, node] : nodes_) nodes.push_back(node.get());
  return nodes;
}

void World::step() {
  trace_.add("event", *schedule_.next());
  schedule_.run_next();
}

void World::run_for(Duration length) {
  const Moment end = now() + length;
  while (schedule_.next() && *schedule_.next() <= end) step();
  schedule_.advance_to(end);
}

bool World::run_until(const std::function<bool()>& holds, Duration at_most) {
  const Moment end = now() + at_most;
  while (!holds()) {
    if (!schedule_.next() || *schedule_.next() > end) {
      schedule_.advance_to(end);
      return holds();
    }
    step();
  }
  return true;
}

}  // namespace berth::sim
