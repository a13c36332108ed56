#include "cel/cost.h"

#include <algorithm>
#include <cmath>

namespace berth::cel {

std::uint64_t utf8_length(std::string_view text) {
  // Counts the bytes that do not continue a character.
  return static_cast<std::uint64_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::uint64_t size_for_cost(const Value& value) {
  switch (value.kind()) {
    case ValueKind::String:
      return utf8_length(value.text());
    case ValueKind::Bytes:
      return value.text().size();
    case ValueKind::List:
    case ValueKind::Map:
      return value.size();
    case ValueKind::Optional:
      return value.has_value() ? size_for_cost(value.inner()) : 1;
    default:
      return 1;
  }
}

std::uint64_t traversal_cost(std::uint64_t size) {
  // In doubles on purpose: the reference rounds 70 * 0.1 up to 8.
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(size) * 0.1));
}

std::uint64_t comparison_cost(const Value& a, const Value& b) {
  return traversal_cost(std::min(size_for_cost(a), size_for_cost(b)));
}

std::uint64_t cost_of_shorter(std::span<const Value> arguments, const Value&) {
  return comparison_cost(arguments[0], arguments[1]);
}

std::uint64_t cost_of_first(std::span<const Value> arguments, const Value&) {
  return traversal_cost(size_for_cost(arguments[0]));
}

std::uint64_t cost_of_second(std::span<const Value> arguments, const Value&) {
  return traversal_cost(size_for_cost(arguments[1]));
}

std::uint64_t cost_of_sum(std::span<const Value> arguments, const Value&) {
  return traversal_cost(size_for_cost(arguments[0]) + size_for_cost(arguments[1]));
}

std::uint64_t cost_of_search(std::span<const Value> arguments, const Value&) {
  return traversal_cost(size_for_cost(arguments[0])) * traversal_cost(size_for_cost(arguments[1]));
}

// A guess: four characters of a pattern make one step of it.
std::uint64_t cost_of_regex(std::span<const Value> arguments, const Value&) {
  const std::uint64_t text = traversal_cost(size_for_cost(arguments[0]) + 1);
  return text * ((size_for_cost(arguments[1]) + 3) / 4);
}

std::uint64_t cost_of_membership(std::span<const Value> arguments, const Value&) {
  return size_for_cost(arguments[1]);
}

}  // namespace berth::cel
