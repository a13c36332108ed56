#include "base/strings.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Strings, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (Parts{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (Parts{""}));
  EXPECT_EQ(split(",", ','), (Parts{"", ""}));
}

TEST(Strings, TrimsBothEnds) {
  EXPECT_EQ(trim(" \ta b\n"), "a b");
  EXPECT_EQ(trim(" \t"), "");
}

TEST(Strings, QuotesWhatWouldConfuseAReader) {
  EXPECT_EQ(quote("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\n\\u0001\"");
}

TEST(Strings, ParsesWholeNumbersOnly) {
  EXPECT_EQ(parse_int64("-12"), -12);
  EXPECT_EQ(parse_int64("12x"), std::nullopt);
  EXPECT_EQ(parse_int64(""), std::nullopt);
  EXPECT_EQ(parse_int64("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_uint64("18446744073709551615"), 18446744073709551615u);
}

TEST(Strings, TellsWellFormedUtf8FromTheRest) {
  EXPECT_TRUE(is_valid_utf8("caf\xc3\xa9 \xf0\x9f\x9a\xa2"));
  for (const std::string_view bad : {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80",
                                     "\xf4\x90\x80\x80", "\xff", "\xf0\x9f\x9a"}) {
    EXPECT_FALSE(is_valid_utf8(bad));
    EXPECT_EQ(valid_utf8_prefix("caf\xc3\xa9" + std::string(bad) + "x"), 5u);
  }
}

TEST(Strings, CutsBetweenCharacters) {
  EXPECT_EQ(cut_utf8("caf\xc3\xa9", 4), "caf");
  EXPECT_EQ(cut_utf8("caf\xc3\xa9", 5), "caf\xc3\xa9");
}

RC_GTEST_PROP(StringsProperty, JoinUndoesSplit, (std::string text)) {
  const Parts parts = split(text, ',');
  RC_ASSERT(join(std::vector<std::string>(parts.begin(), parts.end()), ",") == text);
}

}  // namespace
}  // namespace berth
