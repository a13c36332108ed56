#include "cel/grammar.h"

#include <algorithm>

#include "cel/operators.h"

namespace berth::cel {

using enum TokenKind;

std::optional<std::string_view> relation_operator(TokenKind kind) {
  switch (kind) {
    case Equals:
      return operators::kEquals;
    case NotEquals:
      return operators::kNotEquals;
    case In:
      return operators::kIn;
    case Less:
      return operators::kLess;
    case LessEquals:
      return operators::kLessEquals;
    case Greater:
      return operators::kGreater;
    case GreaterEquals:
      return operators::kGreaterEquals;
    default:
      return std::nullopt;
  }
}

std::optional<std::string_view> additive_operator(TokenKind kind) {
  if (kind == Plus) return operators::kAdd;
  if (kind == Minus) return operators::kSubtract;
  return std::nullopt;
}

std::optional<std::string_view> multiplicative_operator(TokenKind kind) {
  if (kind == Star) return operators::kMultiply;
  if (kind == Slash) return operators::kDivide;
  if (kind == Percent) return operators::kModulo;
  return std::nullopt;
}

bool is_reserved_word(std::string_view word) {
  static constexpr std::string_view kReserved[] = {
      "as",        "break", "const",  "continue", "else", "false", "for",
      "function",  "if",    "import", "in",       "let",  "loop",  "package",
      "namespace", "null",  "return", "true",     "var",  "void",  "while"};
  return std::ranges::find(kReserved, word) != std::end(kReserved);
}

}  // namespace berth::cel
