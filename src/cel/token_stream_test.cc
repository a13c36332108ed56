#include "cel/token_stream.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(TokenSet, NamesOneTokenBareAndSeveralInBraces) {
  EXPECT_EQ(TokenSet{TokenKind::Colon}.display(), "':'");
  EXPECT_EQ((TokenSet{TokenKind::Comma, TokenKind::RightBracket}.display()), "{']', ','}");
}

TEST(TokenStream, DropsOneStranger) {
  Issues issues;
  TokenStream tokens("2 )", issues);
  tokens.expect(TokenKind::RightParenthesis, {});
  EXPECT_EQ(issues.kept().at(0).message, "Syntax error: extraneous input '2' expecting ')'");
  EXPECT_EQ(tokens.kind(), TokenKind::End);
  EXPECT_FALSE(tokens.is_stopped());
}

TEST(TokenStream, ImaginesAMissingTokenAndThenKeepsQuiet) {
  Issues issues;
  TokenStream tokens("1", issues);
  tokens.expect(TokenKind::Colon, kExpressionStart);
  tokens.expect(TokenKind::Comma, {TokenKind::Int});
  EXPECT_EQ(issues.kept().size(), 1U);
  EXPECT_EQ(issues.kept().at(0).message, "Syntax error: missing ':' at '1'");
}

TEST(TokenStream, LooksLikeItsEndOnceItHasStopped) {
  Issues issues;
  TokenStream tokens("1 2 3", issues);
  tokens.expect(TokenKind::Comma, {});
  EXPECT_TRUE(tokens.is_stopped());
  EXPECT_EQ(tokens.peek(2).kind, TokenKind::End);
}

}  // namespace
}  // namespace berth::cel
