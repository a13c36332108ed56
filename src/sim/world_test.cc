#include "sim/world.h"

#include <gtest/gtest.h>

#include "sim/testing/ends.h"

namespace berth::sim {
namespace {

using namespace std::chrono_literals;
using testing::Client;
using testing::End;
using testing::Server;

// Ticks every second and tells each tick to the world outside.
class Ticker {
 public:
  Ticker(env::Env& env, std::vector<Time>& ticks) : env_(env), ticks_(ticks) { arm(); }

 private:
  void arm() {
    timer_ = env::after(env_.loop, env_.clock, 1s, [this] {
      ticks_.push_back(env_.clock.now());
      arm();
    });
  }

  env::Env& env_;
  std::vector<Time>& ticks_;
  env::Timer timer_;
};

TEST(World, StartsProgramsAndLetsTimePass) {
  World world({.seed = 1});
  std::vector<Time> ticks;
  world.add_node("a").start(
      [&](std::span<env::Env> loops) { return std::make_shared<Ticker>(loops[0], ticks); });
  world.run_for(3s);
  EXPECT_EQ(ticks, (std::vector<Time>{NodeClock::kBeginning + 1s, NodeClock::kBeginning + 2s,
                                      NodeClock::kBeginning + 3s}));
  EXPECT_EQ(world.now(), 3s);
}

TEST(World, ACrashSilencesAProgramUntilItIsStartedAgain) {
  World world({.seed = 1});
  std::vector<Time> ticks;
  Node& node = world.add_node("a");
  node.start([&](std::span<env::Env> loops) { return std::make_shared<Ticker>(loops[0], ticks); });
  world.run_for(2s);
  node.crash(Crash::Process);
  world.run_for(10s);
  EXPECT_EQ(ticks.size(), 2u);
  EXPECT_FALSE(node.is_running());
  node.restart();
  world.run_for(2s);
  EXPECT_EQ(ticks.size(), 4u);
}

TEST(World, AProgramMayBeCrashedWhileItRuns) {
  World world({.seed = 1});
  Node& node = world.add_node("a");
  bool wrote = true;
  node.disk().on_operation = [&](std::uint64_t number, DiskAct) -> std::optional<Error> {
    if (number == 2) node.crash(Crash::Power);
    return std::nullopt;
  };
  node.start([&](std::span<env::Env> loops) {
    const auto file = *loops[0].disk.open("a", {.mode = env::OpenMode::Create});
    wrote = file->write_at(0, "x").ok();
    return std::make_shared<int>(0);
  });
  world.run_for(1s);
  EXPECT_FALSE(wrote);
  EXPECT_FALSE(node.is_running());
  EXPECT_EQ(node.disk().find("a"), nullptr);
}

TEST(World, APowerLossLosesWhatAKillKeeps) {
  for (const Crash kind : {Crash::Process, Crash::Power}) {
    World world({.seed = 1});
    Node& node = world.add_node("a");
    int starts = 0;
    node.start([&](std::span<env::Env> loops) {
      if (++starts == 1) {
        const auto file = *loops[0].disk.open("a", {.mode = env::OpenMode::Create});
        EXPECT_TRUE(loops[0].disk.sync_directory(".").ok());
        EXPECT_TRUE(file->write_at(0, "x").ok());
      }
      return std::make_shared<int>(0);
    });
    world.run_for(1s);
    node.crash(kind);
    node.restart_after(5s);
    world.run_for(6s);
    EXPECT_EQ(starts, 2);
    EXPECT_EQ(node.disk().find("a")->cached, kind == Crash::Process ? "x" : "");
  }
}

TEST(World, GivesEachLifeItsOwnEntropyAndRunsNamedChildren) {
  World world({.seed = 1});
  std::set<std::string> uids;
  std::vector<std::string> outputs;
  Node& node = world.add_node("a");
  node.child_programs()["hello"] = [](const env::Command& command) {
    return env::Exit{.status = 0, .output = "hello " + command.arguments.at(0)};
  };
  node.start([&](std::span<env::Env> loops) {
    uids.insert(env::new_uuid(loops[0].entropy));
    loops[0].processes.run({.program = "hello", .arguments = {"you"}},
                           [&](Result<env::Exit> exit) { outputs.push_back(exit->output); });
    loops[0].processes.run({.program = "bye"}, [&](Result<env::Exit> exit) {
      outputs.push_back(std::string(reason(exit.error().code)));
    });
    return std::make_shared<int>(0);
  });
  world.run_for(1s);
  node.crash(Crash::Process);
  node.restart();
  world.run_for(1s);
  EXPECT_EQ(uids.size(), 2u);
  EXPECT_EQ(outputs, (std::vector<std::string>{"hello you", "NotFound", "hello you", "NotFound"}));
}

TEST(World, ALoopReachesAnotherOfItsProcess) {
  World world({.seed = 1});
  std::vector<int> order;
  world.add_node("a", {.loops = 2}).start([&](std::span<env::Env> loops) {
    loops[1].loop.post([&order] { order.push_back(1); });
    loops[1].loop.post([&order] { order.push_back(2); });
    return std::make_shared<int>(0);
  });
  world.run_for(1s);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

// A chat of two machines through a bad network: many draws, many events.
std::uint64_t trace_of(std::uint64_t seed) {
  World world({.seed = seed});
  world.fabric().options.latency_max = 20ms;
  world.fabric().options.loss = 0.1;
  const auto echo = [](End& end, std::string_view bytes) { end.stream->write(bytes); };
  world.add_node("hub").start(
      [&](std::span<env::Env> loops) { return std::make_shared<Server>(loops[0], echo); });
  Client* client = nullptr;
  world.add_node("agent").start([&](std::span<env::Env> loops) {
    auto made = std::make_shared<Client>(
        loops[0], env::ConnectOptions{.address = {.host = "hub", .port = 1}}, echo);
    client = made.get();
    return made;
  });
  world.run_until([&] { return client && client->end; }, 1min);
  client->end->stream->write("around and around");
  world.run_for(10s);
  return world.trace().value();
}

TEST(World, TheSameSeedGivesTheSameRunAndAnotherSeedAnother) {
  std::set<std::uint64_t> traces;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::uint64_t trace = trace_of(seed);
    EXPECT_EQ(trace, trace_of(seed)) << seed;
    traces.insert(trace);
  }
  EXPECT_EQ(traces.size(), 10u);
}

}  // namespace
}  // namespace berth::sim
