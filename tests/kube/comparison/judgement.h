// What Berth's engine says about what the reference did.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kube/comparison/observation.h"

namespace berth::kube {

// At rest the engine has nothing to write either, and filters and scores as the reference does.
// The first difference, or nothing.
std::optional<std::string> difference_at_rest(const Observation& seen);

struct JudgedMoves {
  int right = 0;  // Placements that the edit moved, to where the engine says.
  // Those that count others' decisions, which moved as well: in which order is not known.
  int unordered = 0;
  std::vector<std::string> differences = {};
};

// From where the edit found each placement to where it came to rest.
JudgedMoves judge_moves(const Observation& seen);

// What was compared, over many observations.
struct ComparisonCounts {
  int states = 0;
  int placements = 0;  // In all states together.
  int endless = 0;     // Those that the reference never finishes.
  int moves = 0;
  int unordered = 0;
  int elsewhere = 0;                           // Moves to where the engine does not say.
  std::map<std::string, int> conditions = {};  // By reason.

  void add(const Observation& seen, const JudgedMoves& moves);
  std::string text() const;
};

}  // namespace berth::kube
