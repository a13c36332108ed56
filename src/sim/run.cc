#include "sim/run.h"

#include <utility>

#include <fmt/core.h>

#include "sim/faults/registry.h"

namespace berth::sim {
namespace {

constexpr Duration kCheckEvery = std::chrono::milliseconds(50);

class Run {
 public:
  Run(const Suite& suite, std::uint64_t seed)
      : suite_(suite), seed_(seed), workload_(suite.make()), world_({.seed = seed}) {}

  RunReport go() {
    workload_->start(world_);
    if (with_faults() && without_faults()) return finish(RunOutcome::Passed, "");
    return finish(outcome_, failure_);
  }

 private:
  bool with_faults() {
    auto faults = draw_faults(world_.random().stream("faults"), suite_.faults);
    for (const auto& fault : faults) {
      described_ += "  " + fault->describe() + "\n";
      fault->begin(world_);
    }
    const Moment end = world_.now() + suite_.faulty;
    while (world_.now() < end) {
      world_.run_for(kCheckEvery);
      if (!is_right()) return false;
    }
    // In reverse, because each puts back what it found.
    while (!faults.empty()) {
      faults.back()->end(world_);
      faults.pop_back();
    }
    return true;
  }

  bool without_faults() {
    const Moment end = world_.now() + suite_.settles_within;
    for (;;) {
      if (!is_right()) return false;
      const Status settled = workload_->settled();
      if (settled.ok()) return true;
      if (world_.now() >= end) {
        outcome_ = RunOutcome::Stuck;
        failure_ = settled.error().message;
        return false;
      }
      world_.run_for(kCheckEvery);
    }
  }

  bool is_right() {
    const Status checked = workload_->check();
    if (checked.ok()) return true;
    outcome_ = RunOutcome::Wrong;
    failure_ = checked.error().message;
    return false;
  }

  RunReport finish(RunOutcome outcome, const std::string& failure) {
    RunReport report = {.outcome = outcome,
                        .trace = world_.trace().value(),
                        .events = world_.schedule().executed(),
                        .simulated = world_.now()};
    if (outcome == RunOutcome::Passed) return report;
    report.what = fmt::format("{} at {}: {}\n  {}\nfaults:\n{}", sim::to_text(outcome),
                              to_text(world_.now()), failure, replay_line(suite_, seed_),
                              described_.empty() ? "  none\n" : described_);
    report.what += "the log ends with:\n";
    for (const std::string& line : world_.log().lines()) report.what += "  " + line + "\n";
    return report;
  }

  const Suite& suite_;
  std::uint64_t seed_;
  std::unique_ptr<Workload> workload_;
  World world_;  // Dies first: its programs may still look at the workload.
  std::string described_;
  RunOutcome outcome_ = RunOutcome::Passed;
  std::string failure_;
};

}  // namespace

std::string_view to_text(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::Passed:
      return "passed";
    case RunOutcome::Wrong:
      return "wrong";
    case RunOutcome::Stuck:
      return "stuck";
    case RunOutcome::Crashed:
      return "crashed";
  }
  return "";
}

int exit_code(RunOutcome outcome) {
  return outcome == RunOutcome::Passed ? 0 : static_cast<int>(outcome) + 1;
}

RunReport run(const Suite& suite, std::uint64_t seed) { return Run(suite, seed).go(); }

std::string replay_line(const Suite& suite, std::uint64_t seed) {
  return fmt::format("berth simulate --suite={} --seed={}", suite.name, seed);
}

}  // namespace berth::sim
