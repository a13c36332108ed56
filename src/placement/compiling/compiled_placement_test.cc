#include "placement/compiling/compiled_placement.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::compiled;
using testing::placement_object;

TEST(CompiledPlacement, KeepsTheFirstProblemOfEachPart) {
  const CompiledPlacement placement = compiled(R"({
    "predicates":[{"requiredClusterSelector":{"labelSelector":{"matchExpressions":[
        {"key":"a","operator":"Nope"}]}}},
      {"requiredClusterSelector":{"celSelector":{"celExpressions":["((("]}}}],
    "prioritizerPolicy":{"mode":"Foo"}})");
  EXPECT_EQ(placement.predicate_problem, "\"Nope\" is not a valid label selector operator");
  EXPECT_EQ(placement.weight_problem, "incorrect prioritizer policy mode: Foo");
}

TEST(CompiledPlacement, HasItsPrioritizersInOrder) {
  const CompiledPlacement placement = compiled(R"({"prioritizerPolicy":{"configurations":[
    {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"r","scoreName":"s"}},"weight":3}]}})");
  ASSERT_EQ(placement.prioritizers.size(), 3U);
  EXPECT_EQ(placement.prioritizers[0].prioritizer->name(), "Balance");
  EXPECT_EQ(placement.prioritizers[1].prioritizer->name(), "Steady");
  EXPECT_EQ(placement.prioritizers[2].prioritizer->name(), "AddOn/r/s");
  EXPECT_EQ(placement.prioritizers[2].weight, 3);
}

TEST(CompiledPlacement, AnnotationsCountUnlessExact) {
  json::Value object = placement_object();
  object["metadata"]["annotations"][api::kMissingScoresAnnotation] = "Worst";
  object["metadata"]["annotations"][api::kMinGainAnnotation] = "12";
  EXPECT_EQ(compiled(object).missing_scores, MissingScores::Worst);
  EXPECT_EQ(compiled(object).min_gain, 12);
  EXPECT_EQ(compiled(object, ocm_exact()).missing_scores, MissingScores::Neutral);
  EXPECT_EQ(compiled(object, ocm_exact()).min_gain, 0);
}

TEST(CompiledPlacement, WhatAnAnnotationDoesNotMeanIsRemarkedOn) {
  json::Value object = placement_object();
  object["metadata"]["annotations"][api::kMissingScoresAnnotation] = "sometimes";
  object["metadata"]["annotations"][api::kMinGainAnnotation] = "-3";
  const CompiledPlacement placement = compiled(object);
  EXPECT_EQ(placement.missing_scores, MissingScores::Cautious);
  EXPECT_EQ(placement.remarks,
            (std::vector<std::string>{
                "annotation placement.berth.dev/missing-scores is \"sometimes\", not Neutral, "
                "Exclude or Worst",
                "annotation placement.berth.dev/min-gain is \"-3\", not a whole number from 0"}));
}

}  // namespace
}  // namespace berth::placement
