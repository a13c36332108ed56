#include "placement/options.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

TEST(PlacementOptions, PoliciesForMissingScoresHaveNames) {
  EXPECT_EQ(missing_scores_of_name("Neutral"), MissingScores::Neutral);
  EXPECT_EQ(missing_scores_of_name("Exclude"), MissingScores::Exclude);
  EXPECT_EQ(missing_scores_of_name("Worst"), MissingScores::Worst);
  EXPECT_EQ(missing_scores_of_name("neutral"), std::nullopt);
}

TEST(PlacementOptions, ExactTurnsEveryDifferenceOff) {
  const Options exact = ocm_exact();
  for (const bool on :
       {exact.spread_policy, exact.sort_by, exact.decision_score, exact.prefer_no_select,
        exact.min_gain, exact.missing_scores_annotation, exact.wake_at_every_expiry, exact.remarks,
        exact.observed_generation, exact.keep_decisions_when_misconfigured,
        exact.grow_before_shrink, exact.labels_with_status}) {
    EXPECT_FALSE(on);
  }
  EXPECT_TRUE(exact.expressions_see_expired_scores);
  EXPECT_EQ(exact.missing_scores, MissingScores::Neutral);
}

TEST(Options, GatesAreSetByName) {
  Options options;
  EXPECT_TRUE(set_feature_gate(options, "SortBy=false").ok());
  EXPECT_TRUE(set_feature_gate(options, "DecisionScore=true").ok());
  EXPECT_EQ(options, (Options{.sort_by = false, .decision_score = true}));
  EXPECT_EQ(set_feature_gate(options, "SortBy").error().message,
            "\"SortBy\" is not NAME=true or NAME=false");
  EXPECT_EQ(set_feature_gate(options, "Luck=true").error().message,
            "there is no \"Luck\"; there are DecisionScore, PreferNoSelect, SortBy, SpreadPolicy");
}

}  // namespace
}  // namespace berth::placement
