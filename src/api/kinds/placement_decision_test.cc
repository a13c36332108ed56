#include "api/kinds/placement_decision.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

TEST(PlacementDecisionKind, ReadsClustersInTheirOrder) {
  const auto decision = read_placement_decision(json::parse(R"({
    "metadata":{"name":"p-decision-1","labels":{"cluster.open-cluster-management.io/placement":"p"}},
    "status":{"decisions":[{"clusterName":"b","reason":"","score":7},
                           {"clusterName":"a","reason":"x","score":0}]}})")
                                                    .value());
  EXPECT_EQ(decision.placement(), "p");
  EXPECT_EQ(decision.decisions,
            (std::vector<ClusterDecision>{{"b", "", 7}, {"a", "x", std::nullopt}}));
}

TEST(PlacementDecisionKind, NoStatusIsNoDecisions) {
  EXPECT_TRUE(read_placement_decision(json::parse("{}").value()).decisions.empty());
}

}  // namespace
}  // namespace berth::api
