#include "apiserver/validation/port_names.h"

#include <algorithm>

namespace berth::apiserver {
namespace {

constexpr std::size_t kNameMax = 15;

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

api::Problems port_name_problems(std::string_view name) {
  api::Problems problems;
  if (name.size() > kNameMax) problems.emplace_back("must be no more than 15 characters");
  const bool is_plain = !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_letter(c) || is_digit(c) || c == '-';
  });
  if (!is_plain) {
    problems.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::ranges::none_of(name, is_letter)) {
    problems.emplace_back("must contain at least one letter (a-z)");
  }
  if (name.contains("--")) problems.emplace_back("must not contain consecutive hyphens");
  if (name.starts_with('-') || name.ends_with('-')) {
    problems.emplace_back("must not begin or end with a hyphen");
  }
  return problems;
}

}  // namespace berth::apiserver
