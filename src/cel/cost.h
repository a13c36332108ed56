// CEL's model of what an evaluation costs, so that a limit means the same here and there.

#pragma once

#include <cstdint>
#include <span>

#include "cel/value.h"

namespace berth::cel {

inline constexpr std::uint64_t kSelectCost = 1;  // An identifier or one step of a path.
inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;

// Code points of a string, bytes of bytes, elements of a list, entries of a map; else 1.
std::uint64_t size_for_cost(const Value& value);

// A tenth of a unit per character, rounded up.
std::uint64_t traversal_cost(std::uint64_t size);

// Of comparing two values.
std::uint64_t comparison_cost(const Value& a, const Value& b);

// The cost functions that several overloads share.
std::uint64_t cost_of_shorter(std::span<const Value> arguments, const Value& result);
std::uint64_t cost_of_first(std::span<const Value> arguments, const Value& result);
std::uint64_t cost_of_second(std::span<const Value> arguments, const Value& result);
std::uint64_t cost_of_sum(std::span<const Value> arguments, const Value& result);
std::uint64_t cost_of_search(std::span<const Value> arguments, const Value& result);
std::uint64_t cost_of_regex(std::span<const Value> arguments, const Value& result);
std::uint64_t cost_of_membership(std::span<const Value> arguments, const Value& result);

// Fast, for text that is known to be UTF-8.
std::uint64_t utf8_length(std::string_view text);

}  // namespace berth::cel
