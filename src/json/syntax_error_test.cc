#include "json/syntax_error.h"

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(SyntaxError, CountsLinesAndBytesFromOne) {
  EXPECT_EQ(expected("a value", "x", 0).message, "line 1, column 1: expected a value, found 'x'");
  EXPECT_EQ(expected("':'", "{\n \"a\"}", 6).message, "line 2, column 5: expected ':', found '}'");
  EXPECT_EQ(expected("a value", "\xc3\xa9 \x01", 3).message,
            "line 1, column 4: expected a value, found byte 0x01");
  EXPECT_EQ(expected("a value", "\n\n", 2).message,
            "line 3, column 1: expected a value, found the end of the text");
}

TEST(SyntaxError, NamesTheFirstLexicalProblem) {
  EXPECT_EQ(lexical_error(" ").message,
            "line 1, column 2: expected a value, found the end of the text");
  EXPECT_EQ(lexical_error("[\"a\", \"b]").message,
            "line 1, column 7: the string that starts here has no closing quote");
  EXPECT_EQ(lexical_error("[\"a\nb\"]").message,
            "line 1, column 4: control character 0x0a in a string must be escaped");
  EXPECT_EQ(lexical_error("[\"a\\\"\xff\"]").message, "line 1, column 6: byte 0xff is not UTF-8");
  EXPECT_EQ(lexical_error("[\"a\tb\xff\"]").message,
            "line 1, column 4: control character 0x09 in a string must be escaped");
}

}  // namespace
}  // namespace berth::json
