// Cuts the text of an expression into tokens.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cel/source.h"

namespace berth::cel {

// In the order in which messages list them.
enum class TokenKind {
  Equals,
  NotEquals,
  In,
  Less,
  LessEquals,
  GreaterEquals,
  Greater,
  LogicalAnd,
  LogicalOr,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  LeftParenthesis,
  RightParenthesis,
  Dot,
  Comma,
  Minus,
  Exclamation,
  QuestionMark,
  Colon,
  Plus,
  Star,
  Slash,
  Percent,
  True,
  False,
  Null,
  Double,
  Int,
  Uint,
  String,
  Bytes,
  Identifier,
  EscapedIdentifier,
  End,
};

// How messages name the kind: "'=='", "NUM_INT", "<EOF>".
std::string_view token_name(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::End;
  std::size_t offset = 0;
  std::size_t length = 0;

  std::size_t end() const { return offset + length; }
  std::string_view text_in(std::string_view text) const { return text.substr(offset, length); }
};

// Always ends with End. Text that is no token is reported and left out.
std::vector<Token> tokenize(std::string_view text, Issues& issues);

// The text in single quotes with line breaks and tabs escaped, as syntax errors quote it.
std::string quote_for_message(std::string_view text);

}  // namespace berth::cel
