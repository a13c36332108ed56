#include "placement/registry.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

TEST(Registry, FiltersRunInTheReferencesOrder) {
  ASSERT_EQ(filters().size(), 2U);
  EXPECT_EQ(filters()[0]->name(), "Predicate");
  EXPECT_EQ(filters()[1]->name(), "TaintToleration");
}

TEST(Registry, EveryBuiltInAnswersToItsName) {
  for (const char* name :
       {"Balance", "Steady", "ResourceAllocatableCPU", "ResourceAllocatableMemory"}) {
    EXPECT_TRUE(is_built_in_prioritizer(name));
    EXPECT_EQ(built_in_prioritizer(name)->name(), name);
  }
  EXPECT_FALSE(is_built_in_prioritizer("Spread"));
  EXPECT_EQ(built_in_prioritizer("Spread"), nullptr);
}

}  // namespace
}  // namespace berth::placement
