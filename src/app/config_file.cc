#include "app/config_file.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace berth::app {
namespace {

struct Line {
  std::string name;
  std::vector<std::string> values = {};  // Of all lines with that name.
};

std::string trimmed(const std::string& text) {
  constexpr const char* kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

std::string unquoted(const std::string& text) {
  const bool is_quoted = text.size() >= 2 && text.front() == text.back() &&
                         (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// A value is all that stands behind the first "=": commas and further ones are the flag's own.
std::vector<Line> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<Line> lines;
  for (std::string line; std::getline(file, line);) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    const std::size_t sign = line.find('=');
    const std::string name = trimmed(line.substr(0, sign));
    auto known = std::ranges::find(lines, name, &Line::name);
    if (known == lines.end()) known = lines.insert(known, {.name = name});
    known->values.push_back(sign == std::string::npos ? "true"
                                                      : unquoted(trimmed(line.substr(sign + 1))));
  }
  return lines;
}

void read_flags(CLI::App& command, const std::string& path) {
  for (const Line& line : lines_of(path)) {
    CLI::Option* option = command.get_option_no_throw("--" + line.name);
    if (!option) {
      throw CLI::ValidationError("--config",
                                 fmt::format("{}: there is no flag --{}", path, line.name));
    }
    if (option->empty()) option->add_result(line.values);
  }
}

}  // namespace

// CLI11 reads files for the whole program only, not for one of its commands. Options are looked at
// in the order in which they were added, so those of the file are there when their turn comes.
void add_config_file(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--config", [&command](const std::string& path) { read_flags(command, path); },
          "A file with flags, one NAME=VALUE on a line; the command line wins")
      ->check(CLI::ExistingFile);
}

}  // namespace berth::app
