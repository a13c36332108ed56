#include "cel/code_points.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(CodePointSearch, CountsInCodePoints) {
  EXPECT_EQ(find_forward("h\xC3\xA9llo", "l", 0), 2);
  EXPECT_EQ(find_forward("h\xC3\xA9llo", "l", 3), 3);
  EXPECT_EQ(find_backward("h\xC3\xA9llo", "l", 4), 3);
  EXPECT_EQ(find_backward("h\xC3\xA9llo", "h", 0), 0);
  EXPECT_EQ(find_forward("abc", "", 9), 3);
}

TEST(TrimUnicode, TakesEverySpaceOff) {
  EXPECT_EQ(trim_unicode(" \t\xC2\xA0x y\xE3\x80\x80\n"), "x y");
  EXPECT_EQ(trim_unicode("\xE2\x80\x8B"), "\xE2\x80\x8B");  // A zero-width space is none.
}

}  // namespace
}  // namespace berth::cel
