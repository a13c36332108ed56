#include "tidy/manners.h"

#include <algorithm>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.h"

namespace berth::tidy {
namespace {

using re2::RE2;
using re2::StringPiece;

void check_header_form(const Source& source, std::vector<Finding>& findings) {
  if (!source.text.starts_with("// ")) {
    findings.push_back({source.path, 1, "a header starts with a comment that says its purpose"});
  }
  if (!source.code.contains("#pragma once")) {
    findings.push_back({source.path, 1, "a header has #pragma once"});
  }
}

bool is_plain(char letter) { return letter == '\n' || (letter >= ' ' && letter <= '~'); }

// "// Tested by x_test.cc." excuses a source that shares its test with a neighbour; with a folder,
// as in an include, the test may be elsewhere.
std::string test_of(const Source& source) {
  std::string stem = source.path.substr(0, source.path.size() - 3);
  std::string named;
  if (RE2::PartialMatch(source.text, R"(// Tested by (\S+_test\.cc)\.)", &named)) {
    return named.contains('/') ? "src/" + named : stem.substr(0, stem.rfind('/') + 1) + named;
  }
  return stem + "_test.cc";
}

bool needs_test(const Source& source) {
  return source.path.starts_with("src/") && source.path.ends_with(".cc") && !source.is_test() &&
         source.folder() != "app";
}

// What only tests read is dead code with a test, except where tests are the purpose.
bool counts_for(std::string_view header, const Source& reader) {
  const bool is_for_tests = header.contains("/testing/") || header.starts_with("suites/");
  return is_for_tests || (!reader.is_test() && !reader.path.starts_with("tests/") &&
                          !reader.path.contains("/testing/"));
}

// The folder of `path` joined with `link`, with . and .. resolved.
std::string resolve(std::string_view path, std::string_view link) {
  std::vector<std::string> parts;
  const std::size_t slash = path.rfind('/');
  const std::string base(slash == std::string_view::npos ? "" : path.substr(0, slash));
  const std::string joined =
      link.starts_with('/') ? std::string(link) : base + "/" + std::string(link);
  for (const std::string_view part : split(joined, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty()) {
      parts.pop_back();
    } else {
      parts.emplace_back(part);
    }
  }
  return join(parts, "/");
}

bool is_outside(std::string_view link) {
  return link.contains("://") || link.starts_with('#') || link.starts_with("mailto:");
}

}  // namespace

std::vector<Finding> check_manners(const Source& source) {
  // Spelled in two halves, so that this file passes its own rule.
  static const RE2 kUnfinished(std::string("\\b(TO") + "DO|FIX" + "ME|XX" + "X)\\b");
  std::vector<Finding> findings;
  if (source.is_header()) check_header_form(source, findings);
  int number = 0;
  for (const std::string_view line : lines_of(source.text)) {
    ++number;
    const auto complain = [&](std::string message) {
      findings.push_back({source.path, number, std::move(message)});
    };
    if (!std::ranges::all_of(line, is_plain)) complain("only plain ASCII without tabs");
    if (line.ends_with(' ')) complain("space at the end of the line");
    const StringPiece piece(line.data(), line.size());
    if (RE2::PartialMatch(piece, kUnfinished)) complain("finish it or leave it out");
    if (line.starts_with("using namespace") && !line.contains("literals")) {
      complain("no 'using namespace' except for literals");
    }
  }
  return findings;
}

std::vector<Finding> check_neighbours(const std::vector<Source>& sources) {
  std::set<std::string> paths;
  std::set<std::string> included;
  static const RE2 kInclude("#include \"([^\"]+)\"");
  for (const Source& source : sources) {
    paths.insert(source.path);
    StringPiece rest(source.code);
    for (std::string name; RE2::FindAndConsume(&rest, kInclude, &name);) {
      const bool own = name.ends_with(".h") && source.path.ends_with(".cc") &&
                       source.path.ends_with(name.substr(0, name.size() - 1) + "cc");
      if (!own && counts_for(name, source)) included.insert(name);
    }
  }
  std::vector<Finding> findings;
  for (const Source& source : sources) {
    if (needs_test(source) && !paths.contains(test_of(source))) {
      findings.push_back(
          {source.path, 1, fmt::format("has no test: expected {}", test_of(source))});
    }
    const bool in_src = source.path.starts_with("src/");
    if (in_src && source.is_header() && !included.contains(source.path.substr(4))) {
      findings.push_back({source.path, 1, "nobody but tests includes this header"});
    }
  }
  return findings;
}

std::vector<Finding> check_links(const Source& page, const std::set<std::string>& paths) {
  static const RE2 kLink(R"(\]\(([^)\s#]+)(?:#[^)]*)?\))");
  static const RE2 kNamed(R"(`((?:src|docs|tests|tools|bench|deploy|web)/[\w./-]+)`)");
  std::vector<Finding> findings;
  int number = 0;
  for (const std::string_view line : lines_of(page.text)) {
    ++number;
    std::string target;
    for (StringPiece rest(line.data(), line.size()); RE2::FindAndConsume(&rest, kLink, &target);) {
      if (!is_outside(target) && !paths.contains(resolve(page.path, target))) {
        findings.push_back({page.path, number, fmt::format("dead link '{}'", target)});
      }
    }
    for (StringPiece rest(line.data(), line.size()); RE2::FindAndConsume(&rest, kNamed, &target);) {
      const bool placeholder = target.contains("NAME");
      if (!placeholder && !paths.contains(resolve("", target))) {
        findings.push_back({page.path, number, fmt::format("there is no '{}'", target)});
      }
    }
  }
  return findings;
}

}  // namespace berth::tidy
