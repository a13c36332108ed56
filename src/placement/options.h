// What of Berth's placement goes beyond the reference, each with its own switch.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "placement/stopwatch.h"

namespace berth::placement {

// What a published score that is missing or expired counts as.
enum class MissingScores : std::uint8_t {
  Cautious,  // 0, but the worst value under a negative weight, where 0 would be the best.
  Neutral,   // 0
  Exclude,   // The cluster cannot be chosen.
  Worst,     // The worst value that the weight allows.
};

std::optional<MissingScores> missing_scores_of_name(std::string_view name);

// Which Placements are decided here. The annotation experimental-scheduling-disable tells the
// reference to leave one alone; so two schedulers can share a hub.
enum class Responsibility : std::uint8_t {
  NotDisabled,  // Those without the annotation.
  HandedOver,   // Only those with it.
};

struct Options {
  Responsibility responsibility = Responsibility::NotDisabled;

  bool spread_policy = true;     // spec.spreadPolicy takes effect.
  bool sort_by = true;           // spec.sortBy and spec.scoreRateLimit take effect.
  bool decision_score = false;   // decisions[].score is written even without sortBy: Score.
  bool prefer_no_select = true;  // Clusters with such a taint come last.
  bool min_gain = true;          // The annotation placement.berth.dev/min-gain takes effect.

  // Annotation placement.berth.dev/missing-scores; the default for placements without it.
  bool missing_scores_annotation = true;
  MissingScores missing_scores = MissingScores::Cautious;

  bool expressions_see_expired_scores = false;
  bool wake_at_every_expiry = true;  // Of scores, and of tolerations of any feasible cluster.
  bool remarks = true;               // Conditions' messages name silent clusters and odd settings.
  bool observed_generation = true;   // In conditions.

  // What the expressions of one placement may cost on all its clusters together, in CEL's units. A
  // sane one costs less than a thousand on one cluster; a second makes about a hundred million.
  std::uint64_t expression_budget = 100'000'000;

  // A placement that becomes misconfigured keeps the decisions it has instead of losing them all.
  bool keep_decisions_when_misconfigured = true;

  // An object gets a cluster before another one loses it, so that no reader misses it meanwhile.
  bool grow_before_shrink = true;

  // Labels of a decision follow its status at once instead of in the next run.
  bool labels_with_status = true;

  Stopwatch* stopwatch = nullptr;  // Hears how long plugins take; null: nobody wants to know.

  bool operator==(const Options&) const = default;
};

// "SortBy=false": switches one of the gates DecisionScore, PreferNoSelect, SortBy, SpreadPolicy.
Status set_feature_gate(Options& options, std::string_view setting);

// Everything that is not a crash of the reference, as the reference does it.
Options ocm_exact();

}  // namespace berth::placement
