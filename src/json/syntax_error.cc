#include "json/syntax_error.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::json {
namespace {

std::string found_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte > 0x20 && byte < 0x7f) return fmt::format("'{}'", text[offset]);
  return fmt::format("byte 0x{:02x}", byte);
}

struct Problem {
  std::string what;
  std::size_t offset;
};

std::optional<Problem> string_problem(std::string_view text) {
  std::optional<std::size_t> open;  // The quote of the string we are in.
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '"') {
      open = open ? std::nullopt : std::optional(i);
    } else if (open && byte == '\\') {
      ++i;
    } else if (open && static_cast<unsigned char>(byte) < 0x20) {
      return Problem{fmt::format("control character 0x{:02x} in a string must be escaped",
                                 static_cast<unsigned>(byte)),
                     i};
    }
  }
  if (!open) return std::nullopt;
  return Problem{"the string that starts here has no closing quote", *open};
}

}  // namespace

Error syntax_error(std::string_view problem, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 when there is none.
  return {.code = Code::BadRequest,
          .message = fmt::format("line {}, column {}: {}", line, offset - line_start + 1, problem)};
}

Error expected(std::string_view what, std::string_view text, std::size_t offset) {
  return syntax_error(fmt::format("expected {}, found {}", what, found_at(text, offset)), text,
                      offset);
}

Error lexical_error(std::string_view text) {
  const std::size_t valid = valid_utf8_prefix(text);
  const auto problem = string_problem(text);
  if (valid < text.size() && (!problem || valid <= problem->offset)) {
    return syntax_error(
        fmt::format("byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(text[valid])), text,
        valid);
  }
  if (problem) return syntax_error(problem->what, text, problem->offset);
  return expected("a value", text, text.size());
}

}  // namespace berth::json
