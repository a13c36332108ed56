// One source file as the rules see it: its text, and the same text with comments and literals
// blanked.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace berth::tidy {

struct Finding {
  std::string file;
  int line;
  std::string message;

  bool operator==(const Finding&) const = default;
};

struct Source {
  std::string path;  // From the root of the project, with slashes.
  std::string text;
  std::string code;  // As long as `text`, line by line; only code is left, the rest is spaces.

  bool is_header() const { return path.ends_with(".h"); }
  bool is_test() const { return path.ends_with("_test.cc"); }
  bool is_cpp() const { return is_header() || path.ends_with(".cc"); }

  // "json" for src/json/value.h; empty outside src/.
  std::string_view folder() const;

  // Whether the file's name ends in _service or _controller: a thin shell around pure code.
  bool is_shell() const;
};

Source make_source(std::string path, std::string text);

int line_at(std::string_view text, std::size_t offset);
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace berth::tidy
