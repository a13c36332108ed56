#include "json/unescape.h"

#include <charconv>
#include <system_error>

namespace berth::json {
namespace {

// The character of a two-character escape such as \n; nullopt if there is no such escape.
std::optional<char> simple_escape(char letter) {
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
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
    default:
      return std::nullopt;
  }
}

// The four hexadecimal digits of a \uXXXX at the start of `text`.
std::optional<char32_t> unicode_escape(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  unsigned code = 0;
  const char* const end = text.data() + 6;
  const auto [stop, error] = std::from_chars(text.data() + 2, end, code, 16);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return static_cast<char32_t>(code);
}

bool is_high_surrogate(char32_t code) { return code >= 0xd800 && code < 0xdc00; }
bool is_low_surrogate(char32_t code) { return code >= 0xdc00 && code < 0xe000; }

struct CodePoint {
  char32_t code = 0;
  std::size_t length = 0;  // Of its escape or pair of escapes.
};

std::optional<CodePoint> code_point_at(std::string_view text) {
  const auto first = unicode_escape(text);
  if (!first || is_low_surrogate(*first)) return std::nullopt;
  if (!is_high_surrogate(*first)) return CodePoint{*first, 6};
  const auto second = unicode_escape(text.substr(6));
  if (!second || !is_low_surrogate(*second)) return std::nullopt;
  return CodePoint{0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00), 12};
}

}  // namespace

std::string utf8_of(char32_t code_point) {
  const auto tail = [&](int shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3f));
  };
  const auto lead = [&](unsigned mark, int shift) {
    return static_cast<char>(mark | (code_point >> shift));
  };
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  if (code_point < 0x800) return {lead(0xc0, 6), tail(0)};
  if (code_point < 0x10000) return {lead(0xe0, 12), tail(6), tail(0)};
  return {lead(0xf0, 18), tail(12), tail(6), tail(0)};
}

Unescaped unescape(std::string_view inner) {
  Unescaped result;
  result.text.reserve(inner.size());
  std::size_t at = 0;
  while (at < inner.size()) {
    const std::size_t escape = inner.find('\\', at);
    result.text.append(inner.substr(at, escape - at));
    if (escape == std::string_view::npos) break;

    const std::string_view rest = inner.substr(escape);
    if (const auto letter = rest.size() > 1 ? simple_escape(rest[1]) : std::nullopt) {
      result.text.push_back(*letter);
      at = escape + 2;
    } else if (const auto point = code_point_at(rest)) {
      result.text.append(utf8_of(point->code));
      at = escape + point->length;
    } else {
      result.bad_escape = escape;
      break;
    }
  }
  return result;
}

}  // namespace berth::json
