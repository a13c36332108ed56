#include "tidy/purity.h"

#include <array>
#include <set>
#include <string>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.h"

namespace berth::tidy {
namespace {

using re2::RE2;
using re2::StringPiece;

// The folders that touch the operating system, or stand for it.
constexpr std::array<std::string_view, 5> kImpureFolders = {"env", "runtime", "sim", "suites",
                                                            "app"};

struct Ban {
  RE2 pattern;
  const char* why;
};

const Ban kBans[] = {
    {R"(#include <(thread|mutex|shared_mutex|atomic|condition_variable|future|semaphore|latch)>)",
     "threads and locks live in runtime/"},
    {R"(#include <random>)", "randomness is an argument (base/random.h)"},
    {R"(#include <(fstream|iostream|filesystem|ostream|istream)>)",
     "files and streams live in runtime/"},
    {R"(::now\()", "time is an argument"},
    {R"((^|[^\w.>:])(std::)?((s?rand|getenv|u?sleep)\(|clock\(\))|\btime\((nullptr|NULL|0|&))",
     "time, randomness and environment are arguments"},
    {R"((map|set)<[\w:<> ]*\*\s*[,>])",
     "a container ordered or hashed by address gives no stable order"},
    {R"(\bconst_cast<std::|\bdynamic_cast<|\btypeid\()", "no run-time type look-ups"},
    {R"(\bthrow\b|\bcatch\s*\()", "failures are values (base/result.h)"},
};

// `static` data that is not constant: hidden state.
bool is_static_mutable(std::string_view line) {
  static const RE2 kStatic(R"(^\s*(static|thread_local)\s+(.*))");
  std::string rest;
  if (!RE2::PartialMatch(StringPiece(line.data(), line.size()), kStatic, nullptr, &rest))
    return false;
  static const RE2 kConstant(R"(\b(const|constexpr|constinit|consteval)\b)");
  if (RE2::PartialMatch(rest, kConstant)) return false;
  const std::size_t end = rest.find_first_of("(;={");
  return end != std::string::npos && rest[end] != '(';
}

std::set<std::string> unordered_names(std::string_view code) {
  static const RE2 kDeclaration(R"(unordered_\w+<[^;(){}]*>&?\s+(\w+)\s*[;{=,)])");
  std::set<std::string> names;
  StringPiece rest(code.data(), code.size());
  for (std::string name; RE2::FindAndConsume(&rest, kDeclaration, &name);) names.insert(name);
  return names;
}

std::string range_of_loop(std::string_view line) {
  static const RE2 kLoop(R"(\bfor \(.*[^:]: (?:\w+(?:\.|->))*(\w+)\))");
  std::string name;
  RE2::PartialMatch(StringPiece(line.data(), line.size()), kLoop, &name);
  return name;
}

bool is_pure_folder(std::string_view folder) {
  if (folder.empty()) return false;
  for (const std::string_view impure : kImpureFolders) {
    if (folder == impure) return false;
  }
  return true;
}

}  // namespace

std::vector<Finding> check_purity(const Source& source) {
  std::vector<Finding> findings;
  if (!is_pure_folder(source.folder())) return findings;

  const std::set<std::string> unordered = unordered_names(source.code);
  int number = 0;
  for (const std::string_view line : lines_of(source.code)) {
    ++number;
    for (const Ban& ban : kBans) {
      if (RE2::PartialMatch(StringPiece(line.data(), line.size()), ban.pattern)) {
        findings.push_back({source.path, number, fmt::format("'{}': {}", trim(line), ban.why)});
      }
    }
    if (is_static_mutable(line)) {
      findings.push_back({source.path, number, "static data must be constant"});
    }
    if (const std::string range = range_of_loop(line); unordered.contains(range)) {
      findings.push_back(
          {source.path, number,
           fmt::format("the order of unordered '{}' must not matter: sort first", range)});
    }
  }
  return findings;
}

}  // namespace berth::tidy
