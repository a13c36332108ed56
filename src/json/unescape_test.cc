#include "json/unescape.h"

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(Unescape, ReadsEveryEscape) {
  EXPECT_EQ(unescape(R"(\"\\\/\b\f\n\r\t)").text, "\"\\/\b\f\n\r\t");
  EXPECT_EQ(unescape(R"(a\u0041\u00e9\u20AC\ud83d\udea2z)").text,
            "aA\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\xa2z");
  EXPECT_EQ(unescape(R"(\u0000)").text, std::string(1, '\0'));
  EXPECT_EQ(unescape("plain").text, "plain");
  EXPECT_EQ(unescape(R"(\\u0041)").text, "\\u0041");
}

TEST(Unescape, NamesTheFirstBadEscape) {
  for (const std::string_view bad :
       {R"(ab\q)", R"(ab\)", R"(ab\u12)", R"(ab\u12g4)", R"(ab\u+123)", R"(ab\ud800)",
        R"(ab\ud800x)", R"(ab\ud800\n)", R"(ab\ud800\u0041)", R"(ab\udc00\ud800)"}) {
    SCOPED_TRACE(bad);
    EXPECT_EQ(unescape(bad).bad_escape, 2u);
  }
  EXPECT_EQ(unescape(R"(\n)").bad_escape, std::nullopt);
}

TEST(Unescape, EncodesEveryLengthOfUtf8) {
  EXPECT_EQ(utf8_of(0x7f), "\x7f");
  EXPECT_EQ(utf8_of(0x80), "\xc2\x80");
  EXPECT_EQ(utf8_of(0x7ff), "\xdf\xbf");
  EXPECT_EQ(utf8_of(0x800), "\xe0\xa0\x80");
  EXPECT_EQ(utf8_of(0xffff), "\xef\xbf\xbf");
  EXPECT_EQ(utf8_of(0x10000), "\xf0\x90\x80\x80");
  EXPECT_EQ(utf8_of(0x10ffff), "\xf4\x8f\xbf\xbf");
}

}  // namespace
}  // namespace berth::json
