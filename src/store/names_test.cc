#include "store/names.h"

#include <gtest/gtest.h>

namespace berth::store {
namespace {

Names of(std::initializer_list<std::string_view> list) {
  Names names;
  for (const std::string_view name : list) names.push_back(name);
  return names;
}

TEST(Names, AreFoundByTheirBounds) {
  const Names names = of({"", "a", "ab", "b"});
  EXPECT_EQ(names.size(), 4u);
  EXPECT_EQ(names[0], "");
  EXPECT_EQ(names[2], "ab");
  EXPECT_EQ(names.lower_bound(""), 0u);
  EXPECT_EQ(names.lower_bound("ab"), 2u);
  EXPECT_EQ(names.lower_bound("aa"), 2u);
  EXPECT_EQ(names.lower_bound("c"), 4u);
  EXPECT_EQ(names.upper_bound("ab"), 3u);
  EXPECT_EQ(names.upper_bound("aa"), 2u);
  EXPECT_EQ(Names().lower_bound("a"), 0u);
}

TEST(Names, ComparesBytesWithoutSign) {
  const Names names = of({"a", "\x80"});
  EXPECT_EQ(names.lower_bound("z"), 1u);
}

TEST(Names, PartsOfOneAreAppendedToAnother) {
  Names names = of({"0", "00"});
  const Names other = of({"1", "22", "333"});
  names.append(other, 1, 3);
  names.append(other, 0, 0);
  ASSERT_EQ(names.size(), 4u);
  EXPECT_EQ(names[2], "22");
  EXPECT_EQ(names[3], "333");
  EXPECT_EQ(names.bytes(), 8u);
}

}  // namespace
}  // namespace berth::store
