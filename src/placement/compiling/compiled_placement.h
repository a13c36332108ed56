// CompiledPlacement: a Placement made ready for scheduling. Built once when the Placement changes;
// what is wrong with it is kept and told when scheduling gets that far.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/kinds/placement.h"
#include "api/label_selector.h"
#include "api/object_key.h"
#include "placement/compiling/expression.h"
#include "placement/filter.h"
#include "placement/options.h"
#include "placement/prioritizer.h"
#include "placement/registry.h"

namespace berth::placement {

// A cluster passes if labels, claims and every expression match.
struct Predicate {
  api::LabelSelector labels = {};
  api::LabelSelector claims = {};
  std::vector<std::shared_ptr<const Expression>> expressions = {};
};

struct WeightedPrioritizer {
  std::shared_ptr<const Prioritizer> prioritizer;
  std::int32_t weight;
};

struct CompiledPlacement {
  api::ObjectKey key = {};
  api::Placement placement = {};

  std::vector<Predicate> predicates = {};  // One of them must match, unless there are none.
  std::optional<std::string> predicate_problem = std::nullopt;
  std::vector<std::shared_ptr<const Filter>> filters = {};
  std::vector<WeightedPrioritizer> prioritizers = {};
  std::optional<std::string> weight_problem = std::nullopt;

  MissingScores missing_scores = MissingScores::Neutral;
  std::int64_t min_gain = 0;  // By how much a rival must lead to take an incumbent's place.
  std::vector<std::string> remarks = {};  // On settings that do not mean what they seem to.
};

CompiledPlacement compile(api::Placement placement, const ExpressionCompiler& expressions,
                          const Options& options, const Registry& plugins = built_in_plugins());

}  // namespace berth::placement
