#include "kube/guide.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.h"
#include "kube/transcript.h"

namespace berth::kube {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kAnything = "...";
constexpr std::array<std::string_view, 5> kLanguages = {"console", "sh", "yaml", "json", "text"};

std::vector<std::string> lines_of(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) lines.emplace_back(line);
  return lines;
}

class Reader {
 public:
  Status read(const std::string& line) {
    ++number_;
    if (line.starts_with(kFence)) return language_.empty() ? open(line) : close(line);
    if (language_ == "console") return read_console(line);
    if (language_ == "sh") script_.push_back(line);
    if (language_ == "text" && line.starts_with("$ ")) {
      return failure(Code::BadRequest, "a command outside of a block of console or sh");
    }
    return {};
  }

  Result<Guide> finish(std::vector<std::string> lines) {
    if (!language_.empty()) return failure(Code::BadRequest, "the block is not closed");
    guide_.lines = std::move(lines);
    return std::move(guide_);
  }

  int number() const { return number_; }

 private:
  Status open(const std::string& line) {
    language_ = line.substr(kFence.size());
    is_skipped_ = false;
    is_first_ = true;
    in_command_ = false;
    if (std::ranges::find(kLanguages, language_) != kLanguages.end()) return {};
    return failure(Code::BadRequest,
                   fmt::format("a block says what it is: {}", fmt::join(kLanguages, ", ")));
  }

  Status close(const std::string& line) {
    if (line != kFence) return failure(Code::BadRequest, "a block within a block");
    if (language_ == "sh") finish_script();
    finish_output();
    language_.clear();
    return {};
  }

  void finish_script() {
    std::vector<std::string> script = std::exchange(script_, {});
    if (!script.empty() && script.front().starts_with(kNotRun)) {
      guide_.not_run.push_back(script.front().substr(kNotRun.size()));
      return;
    }
    const int first = number_ - static_cast<int>(script.size());
    guide_.steps.push_back({.command = join(script, "\n"), .line = first, .output_line = number_});
  }

  // An empty line parts a command from what the one before it has printed.
  void finish_output() {
    if (guide_.steps.empty()) return;
    std::vector<std::string>& output = guide_.steps.back().output;
    while (!output.empty() && output.back().empty()) output.pop_back();
  }

  bool output_has_ended() const {
    const std::vector<std::string>& output = guide_.steps.back().output;
    return output.empty() || output.back().empty();
  }

  Status read_console(const std::string& line) {
    if (std::exchange(is_first_, false) && line.starts_with(kNotRun)) {
      guide_.not_run.push_back(line.substr(kNotRun.size()));
      is_skipped_ = true;
    }
    if (is_skipped_) return {};
    std::vector<GuideStep>& steps = guide_.steps;
    const bool continues = line.starts_with("> ") || line == ">";
    if (line.starts_with("$ ")) {
      finish_output();
      steps.push_back({.command = line.substr(2), .line = number_, .shows_output = true});
      steps.back().output_line = number_ + 1;
      in_command_ = true;
    } else if (!in_command_) {
      if (!line.starts_with('#')) return failure(Code::BadRequest, "expected a command: $ ...");
    } else if (line.starts_with("# ") && output_has_ended()) {
      finish_output();
      in_command_ = false;  // It is about the next one.
    } else if (continues && steps.back().output.empty()) {
      steps.back().command += "\n" + line.substr(std::min<std::size_t>(2, line.size()));
      steps.back().output_line = number_ + 1;
    } else {
      steps.back().output.push_back(line);
    }
    return {};
  }

  Guide guide_;
  std::string language_;  // Of the block that is open; empty: none is.
  std::vector<std::string> script_;
  bool is_first_ = false;
  bool is_skipped_ = false;
  bool in_command_ = false;  // A command of this block was seen.
  int number_ = 0;
};

std::string without_made_up(std::string text) {
  static const std::vector<std::pair<std::string, std::string>> kMasks = {
      {R"(\b\d\d:\d\d:\d\d\b)", "CLOCK"},
      {R"(ready after \d+\.\d s)", "ready after SOME s"},
      // What the server makes up: pods of a Deployment, certificate requests.
      {R"(-[a-z0-9]{8,10}-[a-z0-9]{5}\b)", "-POD"},
      {R"(\b(cluster\d+|harbour)-[a-z0-9]{5}\b)", R"(\1-NAME)"},
      {R"(\b[1-9]\d{2}s\b)", "AGE"},
      {R"(( deleted) from \S+ namespace\b)", R"(\1)"},  // As newer versions of kubectl say it.
      // Columns are as wide as what is in them.
      {R"( {2,})", "  "},
      {R"(-{3,})", "---"},
  };
  text = masked(std::move(text));
  for (const auto& [pattern, word] : kMasks) RE2::GlobalReplace(&text, pattern, word);
  return text;
}

// Matches what the lines show.
std::string pattern_of(const std::vector<std::string>& output) {
  std::string pattern;
  for (const std::string& line :
       output.empty() ? output : lines_of(without_made_up(join(output, "\n")))) {
    if (line == kAnything) {
      pattern += R"((?:.*\n)*?)";
      continue;
    }
    std::string_view rest = line;
    for (std::size_t at = rest.find(kAnything); at != rest.npos; at = rest.find(kAnything)) {
      pattern += RE2::QuoteMeta(std::string(rest.substr(0, at))) + ".*";
      rest.remove_prefix(at + kAnything.size());
    }
    pattern += RE2::QuoteMeta(std::string(rest)) + "\n";
  }
  return pattern;
}

}  // namespace

Result<Guide> parse_guide(std::string_view text) {
  Reader reader;
  std::vector<std::string> lines = lines_of(text);
  for (const std::string& line : lines) {
    if (const Status status = reader.read(line); !status.ok()) {
      return failure(Code::BadRequest,
                     fmt::format("line {}: {}", reader.number(), status.error().message));
    }
  }
  return reader.finish(std::move(lines));
}

std::string with_outputs(const Guide& guide, const std::vector<std::string>& outputs) {
  std::vector<std::string> lines = guide.lines;
  for (std::size_t i = guide.steps.size(); i > 0; --i) {  // What is above keeps its place.
    const GuideStep& step = guide.steps[i - 1];
    if (!step.shows_output) continue;
    const auto begin = lines.begin() + (step.output_line - 1);
    const auto at = lines.erase(begin, begin + static_cast<std::ptrdiff_t>(step.output.size()));
    if (outputs[i - 1].empty()) continue;
    std::vector<std::string> output = lines_of(outputs[i - 1]);
    const bool is_followed = at != lines.end() && (at->starts_with("$ ") || at->starts_with("# "));
    if (is_followed) output.emplace_back();
    lines.insert(at, output.begin(), output.end());
  }
  return join(lines, "\n") + "\n";
}

bool is_shown(const GuideStep& step, const std::string& printed) {
  return RE2::FullMatch(without_made_up(printed), pattern_of(step.output));
}

bool begins_as_shown(const GuideStep& step, const std::string& printed) {
  return RE2::FullMatch(without_made_up(printed), pattern_of(step.output) + R"((?s:.*))");
}

}  // namespace berth::kube
