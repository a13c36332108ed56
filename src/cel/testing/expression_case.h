// Tables of expressions with what they must give: value, error or compile error, and cost.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/strings.h"
#include "cel/display.h"
#include "cel/ext_optional.h"
#include "cel/ext_strings.h"
#include "cel/program.h"
#include "cel/standard.h"
#include "cel/token_stream.h"

namespace berth::cel::testing {

struct ExpressionCase {
  std::string_view text;
  std::string_view value;  // As display() prints it; or, with a leading '!', the error's message.
  std::uint64_t cost = 0;
};

struct IssueCase {
  std::string_view text;
  // One line for each issue: "1:3: undeclared reference to ...". <expression> stands for the list
  // of tokens that an expression can begin with.
  std::string_view issues;
};

inline std::shared_ptr<const Environment> language_environment() {
  auto environment = std::make_shared<Environment>();
  add_standard_library(*environment);
  add_optional_library(*environment);
  add_strings_library(*environment);
  return environment;
}

inline std::string shown(const Value& value) {
  return value.is_error() ? "!" + std::string(value.text()) : display(value);
}

// evaluate(program, arena) -> Evaluation binds what the environment's variables need.
template <typename Evaluate>
void expect_values(const std::shared_ptr<const Environment>& environment,
                   std::span<const ExpressionCase> cases, Evaluate evaluate) {
  for (const ExpressionCase& c : cases) {
    SCOPED_TRACE(c.text);
    const auto program = compile(environment, c.text);
    ASSERT_TRUE(program.ok()) << program.error().message;
    Arena arena;
    const Evaluation outcome = evaluate(*program, arena);
    EXPECT_EQ(shown(outcome.value), c.value);
    EXPECT_EQ(outcome.cost, c.cost);
  }
}

inline void expect_values(std::span<const ExpressionCase> cases) {
  expect_values(language_environment(), cases,
                [](const Program& program, Arena& arena) { return program.evaluate({}, arena); });
}

// The first lines of all blocks, without what they have in common.
inline std::string issue_lines(std::string_view display) {
  constexpr std::string_view kPrefix = "ERROR: <input>:";
  const std::string start = kExpressionStart.display();
  std::string result;
  for (std::string_view line : split(display, '\n')) {
    if (!line.starts_with(kPrefix)) continue;
    if (!result.empty()) result += '\n';
    result += line.substr(kPrefix.size());
  }
  for (std::size_t at = result.find(start); at != std::string::npos; at = result.find(start)) {
    result.replace(at, start.size(), "<expression>");
  }
  return result;
}

inline void expect_issues(const std::shared_ptr<const Environment>& environment,
                          std::span<const IssueCase> cases) {
  for (const IssueCase& c : cases) {
    SCOPED_TRACE(c.text);
    const auto program = compile(environment, c.text);
    if (program.ok()) {
      ADD_FAILURE() << "compiles";
    } else {
      EXPECT_EQ(issue_lines(program.error().message), c.issues);
    }
  }
}

}  // namespace berth::cel::testing
