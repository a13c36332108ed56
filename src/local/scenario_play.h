// A scenario in time: how the fleet should be at a moment, and whether the decisions that are
// expected come true. Whoever plays one makes its fleet as the scene says, again and again, and
// tells the judge what is decided.

#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "json/value.h"
#include "local/scenario.h"

namespace berth::local {

struct ClusterScene {
  bool is_there = false;   // Has joined, or is about to.
  bool is_out = false;     // Nothing of it answers.
  bool is_silent = false;  // Its score agent says nothing.
  int load = 0;            // Percent of its room.

  bool operator==(const ClusterScene&) const = default;
};

// By name, so long after the beginning.
std::map<std::string, ClusterScene> scene_at(const Scenario& scenario, Duration elapsed);

// Clusters by placement, of the namespace that scenarios use.
using Decided = std::map<std::string, std::set<std::string>>;
Decided decided_by(std::span<const json::Value> decisions);

// One expectation that came true or did not.
struct ScenarioVerdict {
  std::string placement;
  bool came_true = false;
  std::string text = {};  // "line 18: web is on cluster2, as expected".
};

class ScenarioJudge {
 public:
  // The scenario outlives the judge.
  explicit ScenarioJudge(const Scenario& scenario);

  // What is decided so long after the beginning; time goes forward. Answers with what is certain
  // only now.
  std::vector<ScenarioVerdict> look(Duration elapsed, const Decided& decided);

  // Whether all has happened and all expectations are judged.
  bool is_over(Duration elapsed) const { return pending_.empty() && elapsed >= end_; }
  int expectations() const { return expectations_; }
  int came_true() const { return came_true_; }
  int failures() const { return failures_; }  // Those that are still awaited are in neither.

 private:
  struct Pending {
    const ScenarioStep* step;
    std::string placement;
    const std::set<std::string>* clusters;
  };

  std::vector<Pending> pending_;
  Duration end_ = Duration::zero();
  int expectations_ = 0;
  int came_true_ = 0;
  int failures_ = 0;
};

}  // namespace berth::local
