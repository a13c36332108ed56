#include "nodes/registry.h"

#include <gtest/gtest.h>

namespace berth::nodes {
namespace {

TEST(Registry, CallsPluginsByTheirOwnNames) {
  for (const FilterEntry& entry : filter_registry()) EXPECT_EQ(entry.make()->name(), entry.name);
  for (const ScorerEntry& entry : scorer_registry()) EXPECT_EQ(entry.make({})->name(), entry.name);
}

TEST(Registry, LetsAReservationOutdoAllOtherScores) {
  std::int64_t others = 0;
  std::int64_t reservation = 0;
  for (const ScorerEntry& entry : scorer_registry()) {
    (entry.name == "PodReservation" ? reservation : others) += entry.weight * kPointsMax;
  }
  EXPECT_GT(reservation / 2, others);
}

TEST(Registry, KnowsWhatKubeSchedulerHasBesides) {
  EXPECT_TRUE(is_foreign_plugin("VolumeBinding"));
  EXPECT_FALSE(is_foreign_plugin("NodeName"));
  EXPECT_FALSE(is_foreign_plugin("Nonsense"));
}

}  // namespace
}  // namespace berth::nodes
