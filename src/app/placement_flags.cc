#include "app/placement_flags.h"

namespace berth::app {

void add_placement_flags(CLI::App& command, PlacementFlags& flags) {
  command
      .add_option("--missing-scores", flags.missing_scores,
                  "What a missing or expired score counts as: Neutral, Exclude or Worst. "
                  "Default: 0, and the worst under a negative weight")
      ->check(CLI::IsMember({"Neutral", "Exclude", "Worst"}));
  command
      .add_option("--feature-gates", flags.gates,
                  "DecisionScore, PreferNoSelect, SortBy, SpreadPolicy, each =true or =false")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--ocm-exact", flags.ocm_exact, "Decide as OCM does, without what Berth adds");
}

Result<placement::Options> placement_options(const PlacementFlags& flags) {
  placement::Options options = flags.ocm_exact ? placement::ocm_exact() : placement::Options();
  if (!flags.missing_scores.empty()) {
    options.missing_scores = *placement::missing_scores_of_name(flags.missing_scores);
  }
  for (const std::string& gate : flags.gates) {
    const Status set = placement::set_feature_gate(options, gate);
    if (!set.ok()) return failure(set.error().code, "--feature-gates: " + set.error().message);
  }
  return options;
}

}  // namespace berth::app
