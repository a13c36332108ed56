#include "cel/literal.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Literals, UnescapeTextAndBytesDifferently) {
  EXPECT_EQ(unescape_string(R"("\x41\u00e9\101\n")").value(),
            "A\xC3\xA9"
            "A\n");
  EXPECT_EQ(unescape_string(R"("\xe9")").value(), "\xC3\xA9");
  EXPECT_EQ(unescape_bytes(R"(b"\xe9\351")").value(), "\xE9\xE9");
  EXPECT_EQ(unescape_string(R"(r"\n")").value(), "\\n");
  EXPECT_EQ(unescape_string("'''a\r\nb'''").value(), "a\nb");
}

TEST(Literals, RefuseWhatIsNoCodePoint) {
  EXPECT_EQ(unescape_string(R"("\ud800")").error().message, "invalid unicode code point");
  EXPECT_EQ(unescape_string(R"("\U00110000")").error().message, "invalid unicode code point");
  EXPECT_EQ(unescape_bytes(R"(b"\u0041")").error().message, "unable to unescape string");
}

TEST(Literals, CoverTheWholeRangeOfNumbers) {
  EXPECT_EQ(parse_int_literal(Sign::Negative, "9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parse_int_literal(Sign::Positive, "9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_int_literal(Sign::Positive, "0xff"), 255);
  EXPECT_EQ(parse_uint_literal("18446744073709551615u"), UINT64_MAX);
  EXPECT_EQ(parse_double_literal(Sign::Negative, ".5"), -0.5);
  EXPECT_EQ(parse_double_literal(Sign::Positive, "1e999"), std::nullopt);
  EXPECT_EQ(parse_double_literal(Sign::Positive, "1e-999"), 0.0);
}

TEST(Literals, NameTheirKindWhenMalformed) {
  EXPECT_EQ(read_literal(TokenKind::Int, Sign::Positive, "99999999999999999999").error().message,
            "invalid int literal");
  EXPECT_EQ(read_literal(TokenKind::Uint, Sign::Positive, "99999999999999999999u").error().message,
            "invalid uint literal");
}

}  // namespace
}  // namespace berth::cel
