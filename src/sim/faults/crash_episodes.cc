// Tested by faults_test.cc.

#include "sim/faults/crash_episodes.h"

#include <fmt/core.h>

namespace berth::sim {
namespace {

constexpr Unsynced kFates[] = {Unsynced::Lost, Unsynced::Kept, Unsynced::Torn};

}  // namespace

CrashEpisodes::CrashEpisodes(CrashRates rates, Random random) : rates_(rates), random_(random) {}

std::string CrashEpisodes::describe() const {
  return fmt::format("{}: about every {}, down for up to {}",
                     rates_.kind == Crash::Process ? "kills" : "power losses",
                     to_text(rates_.between), to_text(rates_.down_most));
}

void CrashEpisodes::begin(World& world) {
  episodes_.emplace(world, random_, rates_.between, [this](World& its_world, Random& random) {
    const std::vector<Node*> nodes = its_world.nodes();
    Node& node = *nodes[random.below(nodes.size())];
    const Unsynced fate = kFates[random.below(std::size(kFates))];
    const Duration down(random.between(1, rates_.down_most.count()));
    if (!node.options().crashes || !node.is_running()) return;
    node.disk().options.unsynced = fate;
    node.crash(rates_.kind);
    node.restart_after(down);
  });
}

void CrashEpisodes::end(World& world) {
  episodes_.reset();
  for (Node* node : world.nodes()) {
    if (node->options().crashes) node->restart();
  }
}

}  // namespace berth::sim
