#include "cel/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cel {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts(std::string_view text) {
  Issues issues;
  std::vector<std::string> result;
  for (const Token& token : tokenize(text, issues)) {
    result.emplace_back(token.text_in(text));
  }
  for (const Issue& issue : issues.kept()) result.push_back(issue.message);
  return result;
}

TEST(Lexer, CutsTextIntoTokensAndSkipsSpaceAndComments) {
  EXPECT_THAT(texts("a.b >= 1u // c\n&& x"), ElementsAre("a", ".", "b", ">=", "1u", "&&", "x", ""));
  EXPECT_THAT(texts(".5e-3 0x1F 1.x"), ElementsAre(".5e-3", "0x1F", "1", ".", "x", ""));
}

TEST(Lexer, KnowsEveryFormOfStrings) {
  EXPECT_THAT(texts(R"('a\'b' "c" r'\' b"x" br'\q')"),
              ElementsAre(R"('a\'b')", "\"c\"", R"(r'\')", "b\"x\"", R"(br'\q')", ""));
  EXPECT_THAT(texts("'''a'b\nc''' \"\"\"\"\"\""), ElementsAre("'''a'b\nc'''", "\"\"\"\"\"\"", ""));
}

TEST(Lexer, ReportsWhatIsNoTokenAndGoesOn) {
  EXPECT_THAT(texts("a = b"),
              ElementsAre("a", "b", "", "Syntax error: token recognition error at: '= '"));
  EXPECT_THAT(texts("\"ab\nc"),
              ElementsAre("c", "", "Syntax error: token recognition error at: '\"ab\\n'"));
}

TEST(Lexer, TakesTheLongestPartThatIsAToken) {
  EXPECT_THAT(texts("'''a"),
              ElementsAre("''", "", "Syntax error: token recognition error at: ''a'"));
  EXPECT_THAT(texts("b'x"), ElementsAre("b", "", "Syntax error: token recognition error at: ''x'"));
}

}  // namespace
}  // namespace berth::cel
