#include "client/resource_version.h"

#include <algorithm>

namespace berth::client {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text[0] != '0' &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<std::strong_ordering> compare_versions(std::string_view a, std::string_view b) {
  if (!is_number(a) || !is_number(b)) return std::nullopt;
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

bool is_older(std::string_view a, std::string_view b) {
  const auto order = compare_versions(a, b);
  return order && *order < 0;
}

}  // namespace berth::client
