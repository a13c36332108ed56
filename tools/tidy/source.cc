#include "tidy/source.h"

#include <algorithm>

#include "base/strings.h"

namespace berth::tidy {
namespace {

// Replaces everything but line ends in [from, to) by spaces.
void blank(std::string& code, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, code.size()); ++i) {
    if (code[i] != '\n') code[i] = ' ';
  }
}

// The offset behind the literal that starts with the quote at `start`.
std::size_t end_of_literal(std::string_view text, std::size_t start) {
  const char quote = text[start];
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote || text[i] == '\n') {
      return i + 1;
    }
  }
  return text.size();
}

std::size_t end_of_raw_string(std::string_view text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// The offset behind the comment or literal that starts at `at`; `at` itself when none does.
std::size_t end_of_noncode(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) return std::min(text.find("*/", at), text.size() - 2) + 2;
  if (rest.starts_with("R\"") && (at == 0 || !is_word(text[at - 1]))) {
    return end_of_raw_string(text, at + 1);
  }
  if (rest[0] == '"') return end_of_literal(text, at);
  const bool digit_separator = at > 0 && is_word(text[at - 1]);
  if (rest[0] == '\'' && !digit_separator) return end_of_literal(text, at);
  return at;
}

// Includes keep their quotes: their paths are what the layer rule reads.
bool on_include_line(std::string_view text, std::size_t at) {
  const std::size_t start = text.rfind('\n', at);
  const std::size_t line = start == std::string_view::npos ? 0 : start + 1;
  return text.substr(line).starts_with("#include");
}

std::string code_of(std::string_view text) {
  std::string code(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_noncode(text, at);
    if (end == at) {
      ++at;
      continue;
    }
    if (!(text[at] == '"' && on_include_line(text, at))) blank(code, at, end);
    at = end;
  }
  return code;
}

}  // namespace

std::string_view Source::folder() const {
  const std::string_view view = path;
  if (!view.starts_with("src/")) return {};
  const std::string_view below = view.substr(4);
  const std::size_t slash = below.find('/');
  return slash == std::string_view::npos ? std::string_view{} : below.substr(0, slash);
}

bool Source::is_shell() const {
  std::string_view stem = path;
  stem = stem.substr(0, stem.rfind('.'));
  if (stem.ends_with("_test")) stem.remove_suffix(5);
  return stem.ends_with("_service") || stem.ends_with("_controller");
}

Source make_source(std::string path, std::string text) {
  std::string code = code_of(text);
  return {.path = std::move(path), .text = std::move(text), .code = std::move(code)};
}

int line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, offset), '\n'));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return split(text, '\n');
}

}  // namespace berth::tidy
