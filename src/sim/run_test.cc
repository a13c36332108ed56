#include "sim/run.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

// A machine that counts seconds; what it should not do is given.
class Counting final : public Workload {
 public:
  struct Script {
    Duration wrong_after = 1h;
    Duration settled_after = 1s;
  };
  explicit Counting(Script script) : script_(script) {}

  void start(World& world) override {
    world_ = &world;
    world.add_node("a").start([](std::span<env::Env> loops) {
      loops[0].log.info("counting.started");
      return std::make_shared<int>(0);
    });
  }
  Status check() override {
    if (world_->now() < script_.wrong_after) return {};
    return failure(Code::InternalError, "counted too far");
  }
  Status settled() override {
    if (world_->now() >= script_.settled_after) return {};
    return failure(Code::Timeout, "still counting");
  }

 private:
  Script script_;
  World* world_ = nullptr;
};

Suite counting(Counting::Script script) {
  return {.name = "counting",
          .make = [script] { return std::make_unique<Counting>(script); },
          .faults = {"kills", "bad-network"},
          .faulty = 10s,
          .settles_within = 20s};
}

TEST(Run, PassesWhenNothingIsWrongAndAllSettles) {
  const RunReport report = run(counting({.settled_after = 15s}), 1);
  EXPECT_EQ(report.outcome, RunOutcome::Passed) << report.what;
  EXPECT_GE(report.simulated, 15s);
  EXPECT_LT(report.simulated, 16s);
}

TEST(Run, TellsWrongFromStuck) {
  const RunReport wrong = run(counting({.wrong_after = 5s}), 1);
  EXPECT_EQ(wrong.outcome, RunOutcome::Wrong);
  EXPECT_TRUE(
      wrong.what.starts_with("wrong at 5s: counted too far\n"
                             "  berth simulate --suite=counting --seed=1\n"))
      << wrong.what;
  EXPECT_NE(wrong.what.find("info counting.started"), std::string::npos);
  const RunReport stuck = run(counting({.settled_after = 2h}), 1);
  EXPECT_EQ(stuck.outcome, RunOutcome::Stuck);
  EXPECT_NE(exit_code(stuck.outcome), exit_code(wrong.outcome));
}

TEST(Run, ChecksAfterTheFaultsToo) {
  EXPECT_EQ(run(counting({.wrong_after = 12s, .settled_after = 15s}), 1).outcome,
            RunOutcome::Wrong);
}

TEST(Run, RepeatsExactly) {
  const Suite suite = counting({.settled_after = 20s});
  EXPECT_EQ(run(suite, 5).trace, run(suite, 5).trace);
  EXPECT_NE(run(suite, 5).trace, run(suite, 6).trace);
}

}  // namespace
}  // namespace berth::sim
