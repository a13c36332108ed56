#include "cel/ext_strings.h"

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::expect_values;
using testing::ExpressionCase;

TEST(StringsExtension, CountsInCodePoints) {
  const ExpressionCase cases[] = {
      {R"("tacocat".charAt(3))", R"("o")", 3},
      {R"("tacocat".charAt(7))", R"("")", 3},
      {R"("tacocat".charAt(8))", "!index out of range: 8", 3},
      {R"("tacocat".charAt(-1))", "!index out of range: -1", 3},
      {R"("tacocat".indexOf("ac"))", "1", 3},
      {R"("tacocat".indexOf("none"))", "-1", 4},
      {R"("tacocat".indexOf(""))", "0", 1},
      {R"("tacocat".indexOf("a", 3))", "5", 2},
      {R"("tacocat".indexOf("a", 20))", "-1", 2},
      {R"("tacocat".indexOf("", 20))", "7", 1},
      {R"("tacocat".indexOf("a", -1))", "!index out of range: -1", 2},
      {R"("h\u00e9llo".indexOf("l"))", "2", 2},
      {R"("tacocat".lastIndexOf("at"))", "5", 3},
      {R"("tacocat".lastIndexOf("none"))", "-1", 4},
      {R"("tacocat".lastIndexOf(""))", "7", 1},
      {R"("tacocat".lastIndexOf("a", 3))", "1", 2},
      {R"("tacocat".lastIndexOf("a", 20))", "-1", 2},
      {R"("tacocat".lastIndexOf("a", -1))", "!index out of range: -1", 2},
      {R"("a".lastIndexOf("abc"))", "-1", 2},
      {R"(["a", "b", "c"].join())", R"("abc")", 15},
      {R"(["a", "b", "c"].join("-"))", R"("a-b-c")", 17},
      {R"([].join("x"))", R"("")", 12},
      {R"([dyn("a"), dyn(1)].join())", "!join: invalid input: 1", 15},
      {R"("TacoCat".lowerAscii())", R"("tacocat")", 9},
      {R"("TacoCat".upperAscii())", R"("TACOCAT")", 9},
      {R"("hello hello".replace("he", "we"))", R"("wello wello")", 15},
      {R"("hello hello".replace("he", "we", -1))", R"("wello wello")", 15},
      {R"("hello hello".replace("he", "we", 1))", R"("wello hello")", 15},
      {R"("hello hello".replace("he", "we", 0))", R"("hello hello")", 15},
      {R"("hello".replace("", "_"))", R"("_h_e_l_l_o_")", 13},
      {R"("hello".replace("", "_", 2))", R"("_h_ello")", 9},
      {R"("hello".replace("l", ""))", R"("heo")", 5},
      {R"("hello hello hello".split(" "))", R"(["hello", "hello", "hello"])", 16},
      {R"("hello hello hello".split(" ", 0))", "[]", 13},
      {R"("hello hello hello".split(" ", 1))", R"(["hello hello hello"])", 14},
      {R"("hello hello hello".split(" ", 2))", R"(["hello", "hello hello"])", 15},
      {R"("hello hello hello".split(" ", -1))", R"(["hello", "hello", "hello"])", 16},
      {R"("hello".split(""))", R"(["h", "e", "l", "l", "o"])", 17},
      {R"("".split(""))", "[]", 12},
      {R"("".split(","))", R"([""])", 13},
      {R"("abc".split("", 2))", R"(["a", "bc"])", 14},
      {R"("tacocat".substring(4))", R"("cat")", 5},
      {R"("tacocat".substring(0, 4))", R"("taco")", 6},
      {R"("tacocat".substring(-1))", "!index out of range: -1", 3},
      {R"("tacocat".substring(8))", "!index out of range: 8", 3},
      {R"("tacocat".substring(2, 1))", "!invalid substring range. start: 2, end: 1", 3},
      {R"("tacocat".substring(0, 9))", "!index out of range: 9", 3},
      {R"("tacocat".substring(7))", R"("")", 2},
      {R"("  trim\n".trim())", R"("trim")", 6},
      {R"(" \u00a0x\u3000".trim())", R"("x")", 3},
      {R"("gums".reverse())", R"("smug")", 6},
      {R"(strings.quote('first\nsecond "line" \\ \t'))",
       R"("\"first\\nsecond \\\"line\\\" \\\\ \\t\"")", 3},
      {R"(strings.quote(""))", R"("\"\"")", 0},
  };
  expect_values(cases);
}

}  // namespace
}  // namespace berth::cel
