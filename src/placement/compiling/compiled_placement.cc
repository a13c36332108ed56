#include "placement/compiling/compiled_placement.h"

#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "placement/compiling/weights.h"

namespace berth::placement {
namespace {

Result<Predicate> compile_predicate(const api::ClusterSelector& selector,
                                    const ExpressionCompiler& expressions) {
  Predicate predicate;
  ASSIGN_OR_RETURN(predicate.labels, selector.labels);
  ASSIGN_OR_RETURN(predicate.claims, selector.claims);
  for (const std::string& text : selector.expressions) {
    ASSIGN_OR_RETURN(predicate.expressions.emplace_back(), expressions.compile(text));
  }
  return predicate;
}

void compile_predicates(CompiledPlacement& compiled, const ExpressionCompiler& expressions) {
  for (const api::ClusterSelector& selector : compiled.placement.predicates) {
    auto predicate = compile_predicate(selector, expressions);
    if (!predicate.ok()) {
      compiled.predicate_problem = std::move(predicate).error().message;
      return;
    }
    compiled.predicates.push_back(std::move(*predicate));
  }
}

void compile_weights(CompiledPlacement& compiled, const Registry& plugins) {
  auto coordinates = weigh(compiled.placement.mode, compiled.placement.configurations, plugins);
  if (!coordinates.ok()) {
    compiled.weight_problem = std::move(coordinates).error().message;
    return;
  }
  for (const WeightedCoordinate& coordinate : *coordinates) {
    auto prioritizer = coordinate.built_in.empty() ? score_prioritizer(coordinate.add_on)
                                                   : plugins.find_prioritizer(coordinate.built_in);
    if (auto remark = prioritizer->remark(coordinate.weight)) {
      compiled.remarks.push_back(*std::move(remark));
    }
    compiled.prioritizers.push_back({std::move(prioritizer), coordinate.weight});
  }
}

void read_annotations(CompiledPlacement& compiled, const Options& options) {
  const api::ObjectFacts& facts = compiled.placement.facts;
  compiled.missing_scores = options.missing_scores;
  const std::string_view policy = facts.annotation(api::kMissingScoresAnnotation);
  if (options.missing_scores_annotation && !policy.empty()) {
    if (const auto known = missing_scores_of_name(policy)) {
      compiled.missing_scores = *known;
    } else {
      compiled.remarks.push_back(fmt::format("annotation {} is {}, not Neutral, Exclude or Worst",
                                             api::kMissingScoresAnnotation, quote(policy)));
    }
  }
  const std::string_view gain = facts.annotation(api::kMinGainAnnotation);
  if (options.min_gain && !gain.empty()) {
    const auto number = parse_int64(gain);
    constexpr std::int64_t kGainMax = 1'000'000'000;  // Beyond any sum of scores.
    if (number && *number >= 0 && *number <= kGainMax) {
      compiled.min_gain = *number;
    } else {
      compiled.remarks.push_back(fmt::format("annotation {} is {}, not a whole number from 0",
                                             api::kMinGainAnnotation, quote(gain)));
    }
  }
}

}  // namespace

CompiledPlacement compile(api::Placement placement, const ExpressionCompiler& expressions,
                          const Options& options, const Registry& plugins) {
  CompiledPlacement compiled;
  compiled.key = {placement.facts.object_namespace, placement.facts.name};
  compiled.placement = std::move(placement);
  compile_predicates(compiled, expressions);
  compiled.filters = plugins.filters;
  compile_weights(compiled, plugins);
  read_annotations(compiled, options);
  if (compiled.placement.number_of_clusters.value_or(0) < 0) {
    compiled.remarks.push_back("a negative numberOfClusters counts as 0");
  }
  return compiled;
}

}  // namespace berth::placement
