#include "base/table.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Table, AlignsColumns) {
  EXPECT_EQ(format_table({{"NAME", "AGE"}, {"a-long-name", "3d"}, {"b", "1h"}}),
            "NAME          AGE\n"
            "a-long-name   3d\n"
            "b             1h\n");
}

TEST(Table, LeavesNoBlanksAtTheEnd) {
  EXPECT_EQ(format_table({{"NAME", "WHY"}, {"a", ""}, {"b"}}), "NAME   WHY\na\nb\n");
  EXPECT_EQ(format_table({}), "");
}

TEST(Table, BreaksTheLastColumnAtBlanks) {
  EXPECT_EQ(format_table({{"NAME", "WHY"}, {"a", "one two three four five six seven"}, {"b", "x"}},
                         {.width_max = 30}),
            "NAME   WHY\n"
            "a      one two three four five\n"
            "       six seven\n"
            "b      x\n");
}

TEST(Table, DoesNotBreakWhatWouldBecomeUnreadable) {
  EXPECT_EQ(format_table({{"NAME", "WHY"}, {"a-very-long-name", "one two three four five"}},
                         {.width_max = 30}),
            "NAME               WHY\n"
            "a-very-long-name   one two three four five\n");
}

TEST(Table, ALongWordHasALineOfItsOwn) {
  EXPECT_EQ(wrap("a abcdefghij b c", 5), (std::vector<std::string>{"a", "abcdefghij", "b c"}));
  EXPECT_EQ(wrap("", 5), std::vector<std::string>{""});
}

}  // namespace
}  // namespace berth
