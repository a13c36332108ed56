#include "placement/options.h"

namespace berth::placement {

std::optional<MissingScores> missing_scores_of_name(std::string_view name) {
  if (name == "Neutral") return MissingScores::Neutral;
  if (name == "Exclude") return MissingScores::Exclude;
  if (name == "Worst") return MissingScores::Worst;
  return std::nullopt;
}

Options ocm_exact() {
  return {.spread_policy = false,
          .sort_by = false,
          .decision_score = false,
          .prefer_no_select = false,
          .min_gain = false,
          .missing_scores_annotation = false,
          .missing_scores = MissingScores::Neutral,
          .expressions_see_expired_scores = true,
          .wake_at_every_expiry = false,
          .remarks = false,
          .observed_generation = false,
          .keep_decisions_when_misconfigured = false,
          .grow_before_shrink = false,
          .labels_with_status = false};
}

}  // namespace berth::placement
