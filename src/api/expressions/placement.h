// The environment of a Placement's CEL selectors: the variable managedCluster, its scores, JSON in
// texts, and the libraries that Open Cluster Management offers there.

#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "cel/arena.h"
#include "cel/environment.h"
#include "cel/program.h"
#include "json/value.h"

namespace berth::api {

// Finds the scores that a cluster has under a name: status.scores of an AddOnPlacementScore, an
// array of objects with `name` and `value`. The array must outlive the evaluation.
class ScoreLookup {
 public:
  virtual ~ScoreLookup() = default;
  virtual Result<const json::Value*> find_scores(std::string_view cluster,
                                                 std::string_view name) const = 0;
};

std::shared_ptr<const cel::Environment> placement_environment();

// Evaluates a program of that environment for one cluster. The result lives in the arena.
cel::Evaluation evaluate_for_cluster(const cel::Program& program, const json::Value& cluster,
                                     const ScoreLookup& scores, cel::Arena& arena,
                                     const cel::Limits& limits = {});

}  // namespace berth::api
