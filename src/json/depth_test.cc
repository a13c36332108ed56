#include "json/depth.h"

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(Depth, CountsTheDeepestBranch) {
  EXPECT_EQ(depth_of(1), 0u);
  EXPECT_EQ(depth_of(Value::array()), 1u);
  EXPECT_EQ(depth_of(Value::object({{"a", 1}, {"b", Value::array({1, Value::object()})}})), 3u);
}

}  // namespace
}  // namespace berth::json
