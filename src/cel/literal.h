// The values behind the spelling of literals.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cel/ast.h"
#include "cel/lexer.h"

namespace berth::cel {

// The token of a string or bytes literal, prefix and quotes included.
Result<std::string> unescape_string(std::string_view token);
Result<std::string> unescape_bytes(std::string_view token);

// Whether a minus sign stands before the token.
enum class Sign { Positive, Negative };
std::optional<std::int64_t> parse_int_literal(Sign sign, std::string_view token);
std::optional<std::uint64_t> parse_uint_literal(std::string_view token);
std::optional<double> parse_double_literal(Sign sign, std::string_view token);

// The value of any literal token; the message tells which kind of literal is malformed.
Result<Literal> read_literal(TokenKind kind, Sign sign, std::string_view token);

// Appends the code point in UTF-8.
void append_utf8(std::string& text, char32_t code_point);

}  // namespace berth::cel
