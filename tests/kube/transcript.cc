#include "kube/transcript.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.h"

namespace berth::kube {
namespace {

constexpr std::string_view kIndent = "  ";

std::vector<std::string> lines_of(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) lines.emplace_back(line);
  return lines;
}

std::string without_empty_end(std::string text) {
  while (text.ends_with("\n\n")) text.pop_back();
  return text == "\n" ? std::string() : text;
}

// Reads line by line; `chosen_` are the versions that the lines to come belong to.
class Reader {
 public:
  explicit Reader(std::vector<std::string> versions) { transcript_.versions = std::move(versions); }

  Status read(const std::string& line) {
    std::vector<TranscriptStep>& steps = transcript_.steps;
    if (line.starts_with('#')) {
      comment_.push_back(line);
    } else if (line.starts_with("$ ")) {
      steps.push_back({.comment = std::exchange(comment_, {}), .command = line.substr(2)});
      chosen_ = transcript_.versions;
    } else if (steps.empty()) {
      if (!line.empty()) return failure(Code::BadRequest, "expected a command: $ ...");
    } else if (line.starts_with("> ") || line == ">") {
      steps.back().command += "\n" + line.substr(std::min<std::size_t>(2, line.size()));
    } else if (line.starts_with('[') && line.ends_with(']')) {
      chosen_.clear();
      for (const std::string_view version :
           split(std::string_view(line).substr(1, line.size() - 2), ' ')) {
        chosen_.emplace_back(version);
      }
    } else if (line.empty() || line.starts_with(kIndent)) {
      const std::string output = line.empty() ? "" : line.substr(kIndent.size());
      for (const std::string& version : chosen_) steps.back().expected[version] += output + "\n";
    } else {
      return failure(Code::BadRequest, "expected output, indented by two spaces");
    }
    return {};
  }

  Transcript finish() {
    for (TranscriptStep& step : transcript_.steps) {
      for (auto& [version, output] : step.expected) output = without_empty_end(std::move(output));
    }
    return std::move(transcript_);
  }

 private:
  Transcript transcript_;
  std::vector<std::string> comment_;
  std::vector<std::string> chosen_;
};

std::string indented(const std::string& output) {
  if (output.empty()) return "";
  std::string text;
  for (const std::string& line : lines_of(output)) {
    text += line.empty() ? "\n" : fmt::format("{}{}\n", kIndent, line);
  }
  return text;
}

std::string print_outputs(const TranscriptStep& step, const std::vector<std::string>& versions) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // Output, its versions.
  for (const std::string& version : versions) {
    const auto found = step.expected.find(version);
    const std::string output = found == step.expected.end() ? "" : found->second;
    auto group = std::ranges::find(groups, output, [](const auto& entry) { return entry.first; });
    if (group == groups.end()) group = groups.insert(group, {output, {}});
    group->second.push_back(version);
  }
  if (groups.size() == 1) return indented(groups.front().first);
  std::string text;
  for (const auto& [output, names] : groups) {
    text += fmt::format("[{}]\n{}", join(names, " "), indented(output));
  }
  return text;
}

}  // namespace

Result<Transcript> parse_transcript(std::string_view text, std::vector<std::string> versions) {
  Reader reader(std::move(versions));
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (const Status status = reader.read(line); !status.ok()) {
      return failure(Code::BadRequest, fmt::format("line {}: {}", number, status.error().message));
    }
  }
  return reader.finish();
}

std::string print_transcript(const Transcript& transcript) {
  std::string text;
  for (const TranscriptStep& step : transcript.steps) {
    if (!text.empty()) text += "\n";
    for (const std::string& line : step.comment) text += line + "\n";
    const std::vector<std::string> command = lines_of(step.command);
    for (std::size_t i = 0; i < command.size(); ++i) {
      text += fmt::format("{} {}", i == 0 ? "$" : ">", command[i]);
      while (text.ends_with(' ')) text.pop_back();
      text += "\n";
    }
    text += print_outputs(step, transcript.versions);
  }
  return text;
}

std::string masked(std::string text) {
  static const std::vector<std::pair<std::string, std::string>> kMasks = {
      {"kubectl_replace_[0-9]+", "kubectl_replace_<n>"},
      {R"(\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)", "UID"},
      {R"(\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)", "TIME"},
      {R"(\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z][a-z] \d{4} [0-9:]{8} [+-]\d{4})",
       "TIME"},
      {R"re((resourceVersion"?: ?)"?\d+"?)re", R"(\1REVISION)"},
      {R"((Resource Version: +)\d+)", R"(\1REVISION)"},
      {R"(X509SHA256=[0-9a-f]{64})", "X509SHA256=HASH"},
      {R"(\beyJ[\w-]+\.[\w-]+\.[\w-]+)", "TOKEN"},
      {R"(https://(127\.0\.0\.1|localhost):\d+)", "https://SERVER"},
      // An age, and the padding behind it that depends on its length.
      {R"(\b(\d{1,2}s|[1-9]m\d{1,2}s|[1-9]m) {2,})", "AGE   "},
      {R"(\b(\d{1,2}s|[1-9]m\d{1,2}s|[1-9]m)\b)", "AGE"},
      {R"(\bAGE {2,})", "AGE   "},
      {R"([ \t]+\n)", "\n"},
  };
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  for (const auto& [pattern, word] : kMasks) RE2::GlobalReplace(&text, pattern, word);
  return without_empty_end(std::move(text));
}

}  // namespace berth::kube
