#include "placement/waking/reads.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

TEST(Reads, AddUpToWhatAnyOfThemReads) {
  Reads all{.labels = {"a"}, .allocatable = {Resource::Cpu}, .scores = {{"r", "s"}}};
  all.add({.labels = {"b"}, .claims = {"c"}, .whole_objects = true, .reports = {"d"}});
  all.add({.allocatable = {Resource::Memory}, .any_score = true, .scores = {{"r", "t"}}});
  EXPECT_EQ(all.labels, (Reads::Names{"a", "b"}));
  EXPECT_EQ(all.claims, Reads::Names{"c"});
  EXPECT_EQ(all.allocatable, (std::set{Resource::Cpu, Resource::Memory}));
  EXPECT_TRUE(all.whole_objects);
  EXPECT_TRUE(all.any_score);
  EXPECT_EQ(all.reports, Reads::Names{"d"});
  EXPECT_EQ(all.scores.size(), 2U);
}

}  // namespace
}  // namespace berth::placement
