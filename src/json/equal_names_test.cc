#include "json/equal_names.h"

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(EqualNames, TheFirstPlaceAndTheLastValueStay) {
  std::vector<Member> members;
  const auto add = [&](std::string_view name, int value) { members.push_back({name, value}); };
  add("b", 1);
  add("a", 2);
  add("b", 3);
  add("c", 4);
  add("a", 5);
  add("b", 6);

  const MergedNames merged = merge_equal_names(members);
  EXPECT_EQ(merged.count, 3u);
  EXPECT_EQ(merged.repeated, (std::vector<RepeatedName>{{"b", 2}, {"a", 4}}));
  members.resize(merged.count);
  EXPECT_EQ(Value::take_object(members), Value::object({{"b", 6}, {"a", 5}, {"c", 4}}));
}

TEST(EqualNames, NothingHappensToDifferentNames) {
  std::vector<Member> members = {{"b", 1}, {"a", 2}};
  const MergedNames merged = merge_equal_names(members);
  EXPECT_EQ(merged.count, 2u);
  EXPECT_TRUE(merged.repeated.empty());
  EXPECT_EQ(members[0].name(), "b");
}

}  // namespace
}  // namespace berth::json
