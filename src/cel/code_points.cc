#include "cel/code_points.h"

#include <algorithm>

#include "cel/source.h"

namespace berth::cel {
namespace {

// White space outside ASCII: U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F,
// U+205F, U+3000.
constexpr std::string_view kWideSpaces[] = {
    "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
    "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86",
    "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
    "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};

constexpr std::string_view kAsciiSpaces = " \t\n\v\f\r";

bool take_space_in_front(std::string_view& text) {
  if (text.empty()) return false;
  if (kAsciiSpaces.find(text.front()) != std::string_view::npos) {
    text.remove_prefix(1);
    return true;
  }
  for (const std::string_view space : kWideSpaces) {
    if (!text.starts_with(space)) continue;
    text.remove_prefix(space.size());
    return true;
  }
  return false;
}

bool take_space_at_end(std::string_view& text) {
  if (text.empty()) return false;
  if (kAsciiSpaces.find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
    return true;
  }
  for (const std::string_view space : kWideSpaces) {
    if (!text.ends_with(space)) continue;
    text.remove_suffix(space.size());
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::size_t> code_point_offsets(std::string_view text) {
  std::vector<std::size_t> offsets;
  offsets.reserve(text.size() + 1);
  for (std::size_t offset = 0; offset < text.size();) {
    offsets.push_back(offset);
    offset += code_point_length(text.substr(offset));
  }
  offsets.push_back(text.size());
  return offsets;
}

std::int64_t find_forward(std::string_view text, std::string_view wanted, std::int64_t from) {
  const auto offsets = code_point_offsets(text);
  const auto length = static_cast<std::int64_t>(offsets.size()) - 1;
  if (wanted.empty()) return std::min(from, length);
  if (from >= length) return -1;
  const std::size_t found = text.find(wanted, offsets[static_cast<std::size_t>(from)]);
  if (found == std::string_view::npos) return -1;
  return std::ranges::lower_bound(offsets, found) - offsets.begin();
}

std::int64_t find_backward(std::string_view text, std::string_view wanted, std::int64_t from) {
  const auto offsets = code_point_offsets(text);
  const auto length = static_cast<std::int64_t>(offsets.size()) - 1;
  if (wanted.empty()) return std::min(from, length);
  if (from >= length) return -1;
  const std::size_t found = text.rfind(wanted, offsets[static_cast<std::size_t>(from)]);
  if (found == std::string_view::npos) return -1;
  return std::ranges::lower_bound(offsets, found) - offsets.begin();
}

std::string_view trim_unicode(std::string_view text) {
  while (take_space_in_front(text)) {
  }
  while (take_space_at_end(text)) {
  }
  return text;
}

}  // namespace berth::cel
