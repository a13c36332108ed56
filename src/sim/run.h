// Runs a workload under faults from one seed: first nothing wrong may happen, then, when the faults
// have ended, everything must settle in bounded virtual time.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/world.h"

namespace berth::sim {

class Workload {
 public:
  virtual ~Workload() = default;

  // Adds machines and starts their programs.
  virtual void start(World& world) = 0;

  // Says what has gone wrong, if anything has. Asked all the time, in both phases.
  virtual Status check() = 0;

  // Whether all is done that was asked for; if not, what is missing. Asked without faults.
  virtual Status settled() = 0;
};

struct Suite {
  std::string name;
  std::function<std::unique_ptr<Workload>()> make;
  std::vector<std::string> faults = {};  // The kinds that may occur.
  Duration faulty = std::chrono::seconds(30);
  Duration settles_within = std::chrono::minutes(5);
};

enum class RunOutcome {
  Passed,
  Wrong,    // A check failed, or two runs of one seed differed.
  Stuck,    // It did not settle.
  Crashed,  // The program itself died: a CHECK, a sanitizer, a signal.
};

std::string_view to_text(RunOutcome outcome);
int exit_code(RunOutcome outcome);  // 0, 2, 3, 4; 1 is left for wrong usage.

struct RunReport {
  RunOutcome outcome = RunOutcome::Passed;
  std::string what = {};  // For people: the failure, the faults, the last log lines.
  std::uint64_t trace = 0;
  std::uint64_t events = 0;
  Duration simulated = Duration::zero();
};

// In this process: a crash is a crash.
RunReport run(const Suite& suite, std::uint64_t seed);

// How a failure is repeated.
std::string replay_line(const Suite& suite, std::uint64_t seed);

}  // namespace berth::sim
