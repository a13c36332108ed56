#include "placement/writing/write_order.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

using Order = std::vector<std::size_t>;

TEST(WriteOrder, StaysWhereNothingMoves) {
  EXPECT_EQ(growing_first({{.after = {"a"}}, {.before = {"b"}}, {}}), (Order{0, 1, 2}));
  EXPECT_EQ(growing_first({}), Order{});
}

TEST(WriteOrder, TheObjectThatGetsAClusterComesFirst) {
  // A new first cluster pushes the last one of every object into the next.
  EXPECT_EQ(growing_first({{.before = {"b", "c"}, .after = {"a", "b"}},
                           {.before = {"d", "e"}, .after = {"c", "d"}},
                           {.before = {}, .after = {"e"}}}),
            (Order{2, 1, 0}));
}

TEST(WriteOrder, ShrinkingObjectsFollow) {
  EXPECT_EQ(growing_first({{.before = {"a", "b"}, .after = {"b", "c"}},
                           {.before = {"c", "d"}, .after = {"d"}}}),
            (Order{0, 1}));
}

TEST(WriteOrder, ACircleIsCutSomewhere) {
  Order order = growing_first({{.before = {"a"}, .after = {"b"}},
                               {.before = {"b"}, .after = {"c"}},
                               {.before = {"c"}, .after = {"a"}}});
  std::ranges::sort(order);
  EXPECT_EQ(order, (Order{0, 1, 2}));
}

}  // namespace
}  // namespace berth::placement
