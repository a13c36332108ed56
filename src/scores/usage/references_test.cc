#include "scores/usage/references.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::scores {
namespace {

bool refers(std::string_view spec) { return refers_to_scores(json::parse(spec).value(), "usage"); }

TEST(References, AreMadeByPrioritizersOfTypeAddOn) {
  EXPECT_TRUE(refers(R"({"spec":{"prioritizerPolicy":{"configurations":[{"scoreCoordinate":
      {"type":"AddOn","addOn":{"resourceName":"usage","scoreName":"cpuAvailable"}}}]}}})"));
  EXPECT_FALSE(refers(R"({"spec":{"prioritizerPolicy":{"configurations":[{"scoreCoordinate":
      {"type":"AddOn","addOn":{"resourceName":"other","scoreName":"cpuAvailable"}}}]}}})"));
  EXPECT_FALSE(refers(R"({"spec":{"prioritizerPolicy":{"configurations":[{"scoreCoordinate":
      {"type":"BuiltIn","builtIn":"usage"}}]}}})"));
  EXPECT_FALSE(refers("{}"));
}

TEST(References, AreMadeByExpressionsThatNameTheObject) {
  EXPECT_TRUE(refers(R"json({"spec":{"predicates":[{"requiredClusterSelector":{"celSelector":
      {"celExpressions":["managedCluster.scores('usage').exists(s, s.value > 0)"]}}}]}})json"));
  EXPECT_FALSE(refers(R"json({"spec":{"predicates":[{"requiredClusterSelector":{"celSelector":
      {"celExpressions":["managedCluster.scores('usage2').size() > 0"]}}}]}})json"));
}

}  // namespace
}  // namespace berth::scores
