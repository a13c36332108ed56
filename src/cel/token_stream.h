// The tokens of an expression for a parser that goes from left to right, with the reference's way
// of recovering from one superfluous or one missing token.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cel/lexer.h"
#include "cel/source.h"

namespace berth::cel {

class TokenSet {
 public:
  constexpr TokenSet() = default;
  constexpr TokenSet(std::initializer_list<TokenKind> kinds) {
    for (const TokenKind kind : kinds) bits_ |= bit(kind);
  }
  constexpr bool contains(TokenKind kind) const { return (bits_ & bit(kind)) != 0; }
  friend constexpr TokenSet operator|(TokenSet a, TokenSet b) {
    a.bits_ |= b.bits_;
    return a;
  }

  // "']'" or "{']', ','}", in the order of the kinds.
  std::string display() const;

 private:
  static constexpr std::uint64_t bit(TokenKind kind) {
    return std::uint64_t{1} << static_cast<unsigned>(kind);
  }
  std::uint64_t bits_ = 0;
};

// What an expression can begin with.
inline constexpr TokenSet kExpressionStart = {
    TokenKind::LeftBracket, TokenKind::LeftBrace, TokenKind::LeftParenthesis,
    TokenKind::Dot,         TokenKind::Minus,     TokenKind::Exclamation,
    TokenKind::True,        TokenKind::False,     TokenKind::Null,
    TokenKind::Double,      TokenKind::Int,       TokenKind::Uint,
    TokenKind::String,      TokenKind::Bytes,     TokenKind::Identifier};

class TokenStream {
 public:
  TokenStream(std::string_view text, Issues& issues)
      : text_(text), issues_(issues), tokens_(tokenize(text, issues)) {}

  const Token& peek(std::size_t ahead = 0) const;
  TokenKind kind() const { return peek().kind; }
  Position here() const { return Position(peek().offset); }
  Token advance();

  // Takes the wanted token. A stranger before it is dropped; a missing one is imagined when what
  // stands there could come after it.
  void expect(TokenKind wanted, TokenSet after);

  // Makes sure that the next token is one of the wanted, dropping at most one stranger.
  void sync(TokenSet wanted);

  // Complains that the next token is not one of the wanted, and stops.
  void refuse(TokenSet wanted);

  // Complains that the tokens from `start` to the next one lead nowhere, and stops.
  void fail_from(const Token& start);

  // Stops with a message about the whole expression.
  void give_up(std::string message);

  // After an error that cannot be recovered from, everything looks like the end.
  bool is_stopped() const { return stopped_; }
  Position stopped_at() const { return Position(tokens_[next_].offset); }

 private:
  std::string shown(const Token& token) const;
  void report(std::string message);

  std::string_view text_;
  Issues& issues_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  bool recovering_ = false;  // A token was imagined: no complaints until the next one fits.
  bool stopped_ = false;
};

}  // namespace berth::cel
