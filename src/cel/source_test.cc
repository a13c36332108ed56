#include "cel/source.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

std::string display(std::string_view text, std::size_t offset) {
  Issues issues;
  issues.add(Position(offset), "wrong");
  return issues.display(text);
}

TEST(Issues, ShowTheLineAndMarkThePlace) {
  EXPECT_EQ(display("1+x", 2), "ERROR: <input>:1:3: wrong\n | 1+x\n | ..^");
  EXPECT_EQ(display("a\n\tb c", 5), "ERROR: <input>:2:4: wrong\n |  b c\n | ...^");
  EXPECT_EQ(display("1 +", 3), "ERROR: <input>:1:4: wrong\n | 1 +\n | ...^");
}

TEST(Issues, MarkWideCharactersWithWideMarks) {
  EXPECT_EQ(display("\xC3\xA9 x", 3),
            "ERROR: <input>:1:3: wrong\n | \xC3\xA9 x\n | \xEF\xBC\x8E.^");
  EXPECT_EQ(display("\xC3\xA9", 0), "ERROR: <input>:1:1: wrong\n | \xC3\xA9\n | \xEF\xBC\xBE");
}

TEST(Issues, OfAnEmptyTextHaveNoColumn) { EXPECT_EQ(display("", 0), "ERROR: <input>:1:0: wrong"); }

TEST(Issues, AreOrderedByPlaceWithThoseOfNoPlaceFirst) {
  Issues issues;
  issues.add(Position(1), "second");
  issues.add(Position(0), "first");
  issues.add({}, "whole");
  EXPECT_EQ(issues.display("ab"),
            "ERROR: <input>:-1:0: whole\nERROR: <input>:1:1: first\n | ab\n | ^\n"
            "ERROR: <input>:1:2: second\n | ab\n | .^");
}

TEST(Issues, BeyondTheHundredthAreOnlyCounted) {
  Issues issues;
  for (int i = 0; i < 105; ++i) issues.add(Position(0), "x");
  EXPECT_EQ(issues.kept().size(), 100U);
  EXPECT_TRUE(issues.display("a").ends_with("\n5 more errors were truncated"));
}

TEST(CodePoints, CountMalformedBytesAsOneEach) {
  EXPECT_EQ(count_code_points("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), 4U);
  EXPECT_EQ(count_code_points("\xC3(\xFF"), 3U);
}

}  // namespace
}  // namespace berth::cel
