#include "apiserver/tables/cells.h"

#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

TEST(Cells, FindWhatStandsAtAPath) {
  const json::Value object = testing::object_of("{a: {b: [1, 2], t: 'hi'}, q: 3}");
  EXPECT_EQ(at(object, "a.b").size(), 2u);
  EXPECT_EQ(text_at(object, "a.t"), "hi");
  EXPECT_EQ(integer_at(object, "q"), 3);
  EXPECT_TRUE(at(object, "a.b.c.d").is_null());
  EXPECT_TRUE(at(object, "").is_null());
}

TEST(Cells, ShowThreeAndCountTheRest) {
  EXPECT_EQ(with_more({}), "");
  EXPECT_EQ(with_more({"a", "b", "c"}), "a,b,c");
  EXPECT_EQ(with_more({"a", "b", "c", "d"}), "a,b,c + 1 more...");
}

TEST(Cells, WriteQuantitiesInTheirCanonicalForm) {
  EXPECT_EQ(quantity_text(json::Value("1024Mi")), "1Gi");
  EXPECT_EQ(quantity_text(json::Value(5)), "5");
  EXPECT_EQ(quantity_text(json::Value()), "0");
  EXPECT_EQ(quantity_text(json::Value("huh")), "huh");
}

TEST(Cells, AnUnreadableTimeIsAsGoodAsNone) {
  const json::Value object = testing::object_of("{t: yesterday, n: 3}");
  EXPECT_EQ(age_at(object, "t", Time{}), "<unknown>");
  EXPECT_EQ(age_at(object, "n", Time{}), "<unknown>");
}

}  // namespace
}  // namespace berth::apiserver
