#include "cel/source.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace berth::cel {
namespace {

// Longer lines are not repeated in messages.
constexpr std::size_t kSnippetMax = 16384;

// Marks that are as wide as the characters above them: U+FF0E and U+FF3E for multi-byte ones.
constexpr std::string_view kWideDot = "\xEF\xBC\x8E";
constexpr std::string_view kWideCaret = "\xEF\xBC\xBE";

struct Line {
  std::size_t number = 1;  // From 1.
  std::size_t start = 0;
};

Line line_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto newlines = std::ranges::count(before, '\n');
  const std::size_t last = before.rfind('\n');
  return {.number = static_cast<std::size_t>(newlines) + 1,
          .start = last == std::string_view::npos ? 0 : last + 1};
}

std::string marker(std::string_view line, std::size_t column) {
  std::string marks;
  for (std::size_t i = 0; i < column && !line.empty(); ++i) {
    const std::size_t length = code_point_length(line);
    marks += length > 1 ? kWideDot : ".";
    line.remove_prefix(length);
  }
  marks += !line.empty() && code_point_length(line) > 1 ? kWideCaret : "^";
  return marks;
}

std::string display_one(std::string_view text, const Issue& issue) {
  if (!issue.position.is_somewhere()) return "ERROR: <input>:-1:0: " + issue.message;

  const std::size_t offset = std::min(issue.position.offset(), text.size());
  const Line line = line_at(text, offset);
  std::string snippet(text.substr(line.start, text.find('\n', line.start) - line.start));
  const std::size_t column = count_code_points(text.substr(line.start, offset - line.start));
  // The reference has no column for the end of an empty text.
  const std::size_t shown_column = text.empty() ? 0 : column + 1;
  std::string result =
      fmt::format("ERROR: <input>:{}:{}: {}", line.number, shown_column, issue.message);
  if (text.empty() || snippet.size() > kSnippetMax) return result;

  std::ranges::replace(snippet, '\t', ' ');
  return fmt::format("{}\n | {}\n | {}", result, snippet, marker(snippet, column));
}

}  // namespace

void Issues::add(Position position, std::string message) {
  if (++count_ <= kIssuesMax) {
    kept_.push_back({.position = position, .message = std::move(message)});
  }
}

std::string Issues::display(std::string_view text) const {
  std::vector<const Issue*> ordered;
  for (const Issue& issue : kept_) ordered.push_back(&issue);
  // Issues without a place come first; those of one place stay in the order of their discovery.
  std::ranges::sort(ordered, [](const Issue* a, const Issue* b) {
    const bool a_somewhere = a->position.is_somewhere();
    const bool b_somewhere = b->position.is_somewhere();
    return std::tie(a_somewhere, a->position, a) < std::tie(b_somewhere, b->position, b);
  });
  std::string result;
  for (const Issue* issue : ordered) {
    if (!result.empty()) result += '\n';
    result += display_one(text, *issue);
  }
  if (count_ > kIssuesMax) {
    result += fmt::format("\n{} more errors were truncated", count_ - kIssuesMax);
  }
  return result;
}

std::size_t code_point_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t claimed = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (claimed > text.size()) return 1;
  for (std::size_t i = 1; i < claimed; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 1;
  }
  return claimed;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(code_point_length(text));
    ++count;
  }
  return count;
}

}  // namespace berth::cel
