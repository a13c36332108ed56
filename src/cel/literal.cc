#include "cel/literal.h"

#include <charconv>
#include <limits>
#include <utility>

#include "cel/number_text.h"

namespace berth::cel {
namespace {

enum class Content { Text, Bytes };

struct Unquoted {
  std::string_view content;
  bool raw = false;
};

Unquoted unquote(std::string_view token) {
  bool raw = false;
  while (token.front() != '"' && token.front() != '\'') {
    raw = raw || token.front() == 'r' || token.front() == 'R';
    token.remove_prefix(1);
  }
  const bool triple = token.size() >= 6 && token[1] == token[0] && token[2] == token[0];
  const std::size_t marks = triple ? 3 : 1;
  return {.content = token.substr(marks, token.size() - 2 * marks), .raw = raw};
}

std::string normalize_newlines(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      result += text[i];
      continue;
    }
    result += '\n';
    if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
  return result;
}

char simple_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;  // Quotes, backslash, question mark, backtick.
  }
}

bool is_code_point(std::uint32_t value) {
  return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

// The lexer has already refused malformed sequences; what is left to refuse is a number that is
// no code point, and \u in bytes.
Result<std::string> unescape(std::string_view token, Content content) {
  const Unquoted unquoted = unquote(token);
  const std::string text = normalize_newlines(unquoted.content);
  if (unquoted.raw) return text;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    const bool octal = c >= '0' && c <= '3';
    const std::size_t digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0 && !octal) {
      result += simple_escape(c);
      continue;
    }
    if (digits > 2 && content == Content::Bytes) {
      return failure(Code::Invalid, "unable to unescape string");
    }
    const std::size_t first = octal ? i : i + 1;
    const std::size_t count = octal ? 3 : digits;
    std::uint32_t value = 0;
    std::from_chars(text.data() + first, text.data() + first + count, value, octal ? 8 : 16);
    if (content == Content::Bytes) {
      result += static_cast<char>(value);
    } else if (is_code_point(value)) {
      append_utf8(result, value);
    } else {
      return failure(Code::Invalid, "invalid unicode code point");
    }
    i = first + count - 1;
  }
  return result;
}

struct Digits {
  std::string_view text;
  int base = 10;
};

Digits digits_of(std::string_view token) {
  if (token.starts_with("0x")) return {.text = token.substr(2), .base = 16};
  return {.text = token};
}

std::optional<std::uint64_t> magnitude(std::string_view token) {
  const Digits digits = digits_of(token);
  std::uint64_t value = 0;
  const char* end = digits.text.data() + digits.text.size();
  const auto [stop, error] = std::from_chars(digits.text.data(), end, value, digits.base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

Result<std::string> unescape_string(std::string_view token) {
  return unescape(token, Content::Text);
}

Result<std::string> unescape_bytes(std::string_view token) {
  return unescape(token, Content::Bytes);
}

std::optional<std::int64_t> parse_int_literal(Sign sign, std::string_view token) {
  const auto value = magnitude(token);
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value) return std::nullopt;
  if (sign == Sign::Negative) {
    if (*value > kMax + 1) return std::nullopt;
    return static_cast<std::int64_t>(0 - *value);
  }
  if (*value > kMax) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<std::uint64_t> parse_uint_literal(std::string_view token) {
  return magnitude(token.substr(0, token.size() - 1));
}

std::optional<double> parse_double_literal(Sign sign, std::string_view token) {
  const auto value = parse_double(token);
  if (!value) return std::nullopt;
  return sign == Sign::Negative ? -*value : *value;
}

Result<Literal> read_literal(TokenKind kind, Sign sign, std::string_view token) {
  const auto number = [](const auto& value, const char* complaint) -> Result<Literal> {
    if (!value) return failure(Code::Invalid, complaint);
    return Literal(*value);
  };
  switch (kind) {
    case TokenKind::Int:
      return number(parse_int_literal(sign, token), "invalid int literal");
    case TokenKind::Uint:
      return number(parse_uint_literal(token), "invalid uint literal");
    case TokenKind::Double:
      return number(parse_double_literal(sign, token), "invalid double literal");
    case TokenKind::String: {
      ASSIGN_OR_RETURN(std::string text, unescape_string(token));
      return Literal(std::move(text));
    }
    case TokenKind::Bytes: {
      ASSIGN_OR_RETURN(std::string bytes, unescape_bytes(token));
      return Literal(BytesLiteral{std::move(bytes)});
    }
    case TokenKind::True:
      return Literal(true);
    case TokenKind::False:
      return Literal(false);
    case TokenKind::Null:
      return Literal();
    default:
      return failure(Code::Invalid, "not a literal");
  }
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto byte = [&](char32_t bits) { text += static_cast<char>(bits); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0 | (code_point >> 6));
    byte(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    byte(0xE0 | (code_point >> 12));
    byte(0x80 | ((code_point >> 6) & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  } else {
    byte(0xF0 | (code_point >> 18));
    byte(0x80 | ((code_point >> 12) & 0x3F));
    byte(0x80 | ((code_point >> 6) & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  }
}

}  // namespace berth::cel
