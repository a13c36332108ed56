// Tested by faults_test.cc.

#include "sim/faults/crash_episodes.h"

#include <fmt/core.h>

namespace berth::sim {
namespace {

constexpr std::uint64_t kOperationsMost = 16;
constexpr Unsynced kFates[] = {Unsynced::Lost, Unsynced::Kept, Unsynced::Torn};

}  // namespace

CrashEpisodes::CrashEpisodes(CrashRates rates, Random random) : rates_(rates), random_(random) {}

std::string CrashEpisodes::describe() const {
  return fmt::format("{}: about every {}, down for up to {}",
                     rates_.kind == Crash::Process ? "kills" : "power losses",
                     to_text(rates_.between), to_text(rates_.down_most));
}

void CrashEpisodes::begin(World& world) {
  episodes_.emplace(world, random_, rates_.between,
                    [this](World& its_world, Random& random) { strike(its_world, random); });
}

void CrashEpisodes::strike(World& world, Random& random) {
  const std::vector<Node*> nodes = world.nodes();
  Node& node = *nodes[random.below(nodes.size())];
  const Unsynced fate = kFates[random.below(std::size(kFates))];
  const Duration down(random.between(1, rates_.down_most.count()));
  const bool at_once = random.chance(0.5);
  const std::uint64_t operations = 1 + random.below(kOperationsMost);
  if (!node.options().crashes || !node.is_running()) return;

  const auto crash = [this, &node, fate, down] {
    node.disk().options.unsynced = fate;
    node.crash(rates_.kind);
    node.restart_after(down);
  };
  if (at_once) return crash();
  // Between two calls to the disk, where most of the mistakes are.
  const std::uint64_t last = node.disk().operations() + operations;
  node.disk().on_operation = [&node, crash, last](std::uint64_t number,
                                                  DiskAct /*act*/) -> std::optional<Error> {
    if (number < last) return std::nullopt;
    node.disk().on_operation = nullptr;
    crash();
    return std::nullopt;
  };
}

void CrashEpisodes::end(World& world) {
  episodes_.reset();
  for (Node* node : world.nodes()) {
    node->disk().on_operation = nullptr;
    if (node->options().crashes) node->restart();
  }
}

}  // namespace berth::sim
