#include "placement/options.h"

#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace berth::placement {

std::optional<MissingScores> missing_scores_of_name(std::string_view name) {
  if (name == "Neutral") return MissingScores::Neutral;
  if (name == "Exclude") return MissingScores::Exclude;
  if (name == "Worst") return MissingScores::Worst;
  return std::nullopt;
}

Status set_feature_gate(Options& options, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  const std::string_view name = setting.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view{} : setting.substr(equals + 1);
  if (value != "true" && value != "false") {
    return failure(Code::BadRequest, fmt::format("\"{}\" is not NAME=true or NAME=false", setting));
  }
  constexpr std::pair<std::string_view, bool Options::*> kGates[] = {
      {"DecisionScore", &Options::decision_score},
      {"PreferNoSelect", &Options::prefer_no_select},
      {"SortBy", &Options::sort_by},
      {"SpreadPolicy", &Options::spread_policy}};
  for (const auto& [known, member] : kGates) {
    if (name != known) continue;
    options.*member = value == "true";
    return {};
  }
  return failure(Code::BadRequest,
                 fmt::format("there is no \"{}\"; there are DecisionScore, PreferNoSelect, SortBy, "
                             "SpreadPolicy",
                             name));
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
          .expression_budget = std::numeric_limits<std::uint64_t>::max(),
          .keep_decisions_when_misconfigured = false,
          .grow_before_shrink = false,
          .labels_with_status = false};
}

}  // namespace berth::placement
