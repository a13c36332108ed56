#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "sim/faults/crash_episodes.h"
#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<void> idle(std::span<env::Env> /*loops*/) { return std::make_shared<int>(0); }

class FaultsTest : public ::testing::Test {
 protected:
  FaultsTest() {
    for (const char* name : {"a", "b", "c"}) world_.add_node(name).start(&idle);
    world_.add_node("checker", {.crashes = false}).start(&idle);
    world_.rotate_certificates = [this] { has_rotated_ = true; };
  }

  // What differs from a quiet world right now; empty if nothing does.
  std::string trouble() {
    for (Node* node : world_.nodes()) {
      const DiskOptions& disk = node->disk().options;
      if (!node->is_running()) return node->name() + " is down";
      if (node->process()->is_paused()) return node->name() + " stands still";
      if (disk.capacity != DiskOptions{}.capacity) return node->name() + " is full";
      if (disk.read_error + disk.write_error + disk.sync_error > 0) return "disk errors";
      if (disk.sync_latency > Duration::zero()) return "slow disk";
      const Time wall = node->clock().wall(world_.now());
      if (wall != NodeClock::kBeginning + world_.now() && !ended_) return "wrong clock";
      for (Node* other : world_.nodes()) {
        if (!world_.fabric().passes(node->name(), other->name())) return "partition";
        if (world_.fabric().clogged_until(node->name(), other->name()) > world_.now()) {
          return "clog";
        }
      }
    }
    const NetworkOptions& network = world_.fabric().options;
    if (network.cut > 0) return "cuts";
    if (std::exchange(has_rotated_, false)) return "other certificates";
    return network.loss > 0 ? "bad network" : "";
  }

  World world_{{.seed = 3}};
  bool ended_ = false;
  bool has_rotated_ = false;
};

TEST_F(FaultsTest, EveryKindStrikesAndIsGoneAfterItsEnd) {
  for (const FaultKind& kind : fault_kinds()) {
    SCOPED_TRACE(kind.name);
    ended_ = kind.name != "clock-errors";  // Clocks stay where a step has put them.
    const auto fault = kind.draw(Random(7));
    EXPECT_FALSE(fault->describe().empty());
    ASSERT_EQ(trouble(), "");
    fault->begin(world_);
    EXPECT_TRUE(world_.run_until([&] { return !trouble().empty(); }, 10min));
    fault->end(world_);
    ended_ = true;
    world_.run_for(2min);
    EXPECT_EQ(trouble(), "");
  }
}

TEST_F(FaultsTest, CrashesSpareTheMachinesOfCheckers) {
  CrashEpisodes crashes({.kind = Crash::Power, .between = 100ms, .down_most = 50ms}, Random(1));
  crashes.begin(world_);
  std::set<std::string> seen_down;
  for (int i = 0; i < 1000; ++i) {
    world_.run_for(10ms);
    for (Node* node : world_.nodes()) {
      if (!node->is_running()) seen_down.insert(node->name());
    }
  }
  EXPECT_EQ(seen_down, (std::set<std::string>{"a", "b", "c"}));
}

TEST_F(FaultsTest, TheSeedDrawsWhichKindsCombine) {
  std::vector<std::string> names;
  for (const FaultKind& kind : fault_kinds()) names.emplace_back(kind.name);
  std::set<std::string> combinations;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::string text;
    for (const auto& fault : draw_faults(Random(seed), names)) text += fault->describe() + "\n";
    combinations.insert(text);
  }
  EXPECT_EQ(combinations.size(), 50u);
}

}  // namespace
}  // namespace berth::sim
