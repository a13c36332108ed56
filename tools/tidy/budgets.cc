#include "tidy/budgets.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.h"

namespace berth::tidy {
namespace {

using re2::RE2;
using re2::StringPiece;

constexpr int kColumnsMax = 120;  // clang-format wraps at 100; only long literals exceed it.
constexpr int kInterfaceMethodsMax = 15;

struct Budget {
  int file_lines;
  int function_lines;
};
constexpr Budget kSourceBudget = {.file_lines = 500, .function_lines = 70};
constexpr Budget kTestBudget = {.file_lines = 1000, .function_lines = 160};

enum class Scope { Type, Function, Other };

struct OpenBrace {
  Scope scope;
  std::size_t offset;
  std::string name;
  int pure_virtuals = 0;
};

// What stands before a brace, back to the end of the statement before it.
std::string_view head_of(std::string_view code, std::size_t brace) {
  int parentheses = 0;
  std::size_t start = brace;
  while (start > 0) {
    const char letter = code[start - 1];
    if (letter == ')') ++parentheses;
    if (letter == '(') --parentheses;
    if (parentheses <= 0 && (letter == ';' || letter == '{' || letter == '}')) break;
    --start;
  }
  return trim(code.substr(start, brace - start));
}

Scope scope_of(std::string_view head, Scope outer) {
  static const RE2 kNamespace(R"(^((inline )?namespace\b|extern))");
  static const RE2 kType(R"((^|\s|>)(class|struct|union)\s[^()]*$)");
  static const RE2 kEnumeration(R"((^|\s)enum\b)");
  static const RE2 kInitializer(R"([^=!<>]=\s*\S*$)");
  const StringPiece piece(head.data(), head.size());
  if (RE2::PartialMatch(piece, kNamespace)) return Scope::Other;
  if (RE2::PartialMatch(piece, kType)) return Scope::Type;
  if (RE2::PartialMatch(piece, kEnumeration) || outer == Scope::Function) return Scope::Other;
  const bool initializer = RE2::PartialMatch(piece, kInitializer);
  return head.find('(') != std::string_view::npos && !initializer ? Scope::Function : Scope::Other;
}

std::string name_of(std::string_view head) {
  static const RE2 kFunction(R"(([\w:~]+|operator\S+)\s*\()");
  static const RE2 kType(R"((?:class|struct|union)\s+(?:\[\[\w+\]\]\s+)?(\w+))");
  std::string name;
  const StringPiece piece(head.data(), head.size());
  if (!RE2::PartialMatch(piece, kType, &name)) RE2::PartialMatch(piece, kFunction, &name);
  return name;
}

void close_brace(const Source& source, const OpenBrace& open, std::size_t offset,
                 const Budget& budget, std::vector<Finding>& findings) {
  const int first = line_at(source.code, open.offset);
  const int length = line_at(source.code, offset) - first - 1;
  if (open.scope == Scope::Function && length > budget.function_lines) {
    findings.push_back({source.path, first,
                        fmt::format("function '{}' has {} lines; at most {}", open.name, length,
                                    budget.function_lines)});
  }
  if (open.pure_virtuals > kInterfaceMethodsMax) {
    findings.push_back({source.path, first,
                        fmt::format("interface '{}' has {} methods; at most {}", open.name,
                                    open.pure_virtuals, kInterfaceMethodsMax)});
  }
}

void check_braces(const Source& source, const Budget& budget, std::vector<Finding>& findings) {
  const std::string_view code = source.code;
  std::vector<OpenBrace> open;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '{') {
      const Scope outer = open.empty() ? Scope::Other : open.back().scope;
      const bool in_function =
          std::ranges::any_of(open, [](const OpenBrace& o) { return o.scope == Scope::Function; });
      const std::string_view head = head_of(code, at);
      const Scope scope = in_function ? Scope::Other : scope_of(head, outer);
      open.push_back({.scope = scope, .offset = at, .name = name_of(head)});
    } else if (code[at] == '}' && !open.empty()) {
      close_brace(source, open.back(), at, budget, findings);
      open.pop_back();
    } else if (!open.empty() && code.substr(at).starts_with("= 0;")) {
      if (open.back().scope == Scope::Type) ++open.back().pure_virtuals;
    }
  }
}

}  // namespace

std::vector<Finding> check_budgets(const Source& source) {
  std::vector<Finding> findings;
  const Budget& budget = source.is_test() ? kTestBudget : kSourceBudget;
  const auto lines = lines_of(source.text);
  if (std::ssize(lines) > budget.file_lines) {
    findings.push_back(
        {source.path, budget.file_lines,
         fmt::format("the file has {} lines; at most {}", lines.size(), budget.file_lines)});
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::ssize(lines[i]) > kColumnsMax && !lines[i].contains("R\"")) {
      findings.push_back(
          {source.path, static_cast<int>(i) + 1,
           fmt::format("the line has {} columns; at most {}", lines[i].size(), kColumnsMax)});
    }
  }
  check_braces(source, budget, findings);
  return findings;
}

}  // namespace berth::tidy
