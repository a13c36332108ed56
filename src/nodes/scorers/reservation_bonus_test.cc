#include "nodes/scorers/reservation_bonus.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using testing::ClusterBuilder;
using testing::hold;

TEST(ReservationBonus, PutsTheHeldNodeFirstOrLast) {
  ClusterBuilder cluster;
  Hold held = hold("r", "a", "1", "d");
  cluster.node("a").node("b").hold(held);
  EXPECT_EQ(cluster.scored(ReservationBonus(), R"({"owner":"d"})"), "a=100 b=50");
  held.policy = HoldPolicy::FallbackOnly;
  cluster.hold(held);
  EXPECT_EQ(cluster.scored(ReservationBonus(), R"({"owner":"d"})"), "a=0 b=50");
  EXPECT_EQ(cluster.scored(ReservationBonus(), R"({"owner":"other"})"), "");
}

}  // namespace
}  // namespace berth::nodes
