#include "cel/grammar.h"

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

TEST(Grammar, KnowsWhichOperatorsBindAlike) {
  EXPECT_EQ(relation_operator(TokenKind::In), "@in");
  EXPECT_EQ(relation_operator(TokenKind::Plus), std::nullopt);
  EXPECT_EQ(additive_operator(TokenKind::Minus), "_-_");
  EXPECT_EQ(additive_operator(TokenKind::Star), std::nullopt);
  EXPECT_EQ(multiplicative_operator(TokenKind::Percent), "_%_");
}

TEST(Grammar, ReservesWordsOfOtherLanguages) {
  EXPECT_TRUE(is_reserved_word("for"));
  EXPECT_TRUE(is_reserved_word("namespace"));
  EXPECT_FALSE(is_reserved_word("foreach"));
}

}  // namespace
}  // namespace berth::cel
