// The words of the grammar: which token is which operator, and which names are reserved.

#pragma once

#include <optional>
#include <string_view>

#include "cel/lexer.h"

namespace berth::cel {

// The function that an operator between two operands calls; one set for each level of binding.
std::optional<std::string_view> relation_operator(TokenKind kind);
std::optional<std::string_view> additive_operator(TokenKind kind);
std::optional<std::string_view> multiplicative_operator(TokenKind kind);

// Words kept for later versions of the language; fine as fields, not as variables.
bool is_reserved_word(std::string_view word);

}  // namespace berth::cel
