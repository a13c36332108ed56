#include "fleet/work/reasons.h"

#include <gtest/gtest.h>

namespace berth::fleet {
namespace {

TEST(Reasons, OneStandsAloneAndSeveralInBrackets) {
  EXPECT_EQ(aggregate({"a"}), "a");
  EXPECT_EQ(aggregate({"a", "b", "a"}), "[a, b]");
  EXPECT_EQ(aggregate({"a", "a"}), "a");
}

}  // namespace
}  // namespace berth::fleet
