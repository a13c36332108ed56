// Many seeds of one suite, each in a process of its own, so that a crash is a result like others.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/run.h"

namespace berth::sim {

struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t count = 50;
  std::size_t failures_max = 5;  // Then it ends early.
};

// "N" or nothing: how many, from the environment variable BERTH_SEEDS in tests; 50 unless it is a
// number.
SeedRange parse_seeds(const char* text);

struct Exploration {
  struct Failure {
    std::uint64_t seed;
    RunReport report;
  };
  std::uint64_t runs = 0;
  std::uint64_t events = 0;
  Duration simulated = Duration::zero();
  std::vector<Failure> failures;

  // For people; empty if nothing failed.
  std::string what() const;
};

// One in ten seeds runs twice, and the traces must be equal.
Exploration explore(const Suite& suite, SeedRange seeds);

// The run of one seed in a child process.
RunReport run_isolated(const Suite& suite, std::uint64_t seed);

}  // namespace berth::sim
