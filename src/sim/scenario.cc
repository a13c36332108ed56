// Running; parsing is in scenario_parse.cc.

#include "sim/scenario.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.h"

namespace berth::sim {
namespace {

std::vector<std::string> lines_of(std::string_view output) {
  std::vector<std::string> lines;
  if (output.ends_with('\n')) output.remove_suffix(1);
  if (output.empty()) return lines;
  for (const std::string_view line : split(output, '\n')) {
    lines.emplace_back(line.empty() ? "." : line);
  }
  return lines;
}

std::string execute(const ScenarioCommand& command, const ScenarioHandlers& handlers) {
  const auto handler = handlers.find(command.name);
  if (handler == handlers.end()) return "error: no such command: " + command.name;
  Result<std::string> output = handler->second(command);
  if (!output.ok()) return "error: " + output.error().message;
  return *std::move(output);
}

// Lines of either side with - and +, common ones with a space: the longest common part stays.
std::string diff_of(const std::vector<std::string>& expected,
                    const std::vector<std::string>& actual) {
  const std::size_t rows = expected.size();
  const std::size_t columns = actual.size();
  std::vector<std::vector<std::size_t>> common(rows + 1, std::vector<std::size_t>(columns + 1, 0));
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      common[i][j] = expected[i] == actual[j] ? common[i + 1][j + 1] + 1
                                              : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string diff;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && expected[i] == actual[j]) {
      diff += "  " + expected[i++] + "\n";
      ++j;
    } else if (i < rows && (j == columns || common[i + 1][j] >= common[i][j + 1])) {
      diff += "- " + expected[i++] + "\n";
    } else {
      diff += "+ " + actual[j++] + "\n";
    }
  }
  return diff;
}

}  // namespace

ScenarioOutcome run_scenario(const Scenario& scenario, const ScenarioHandlers& handlers) {
  ScenarioOutcome outcome;
  for (const ScenarioStep& step : scenario.steps) {
    std::vector<std::string> actual;
    for (const ScenarioCommand& command : step.commands) {
      for (std::string& line : lines_of(execute(command, handlers))) {
        actual.push_back(std::move(line));
      }
    }
    outcome.rewritten += step.source;
    for (const std::string& line : actual) outcome.rewritten += line + "\n";
    outcome.rewritten += "\n";
    if (actual == step.expected) continue;
    const int line = step.commands.empty() ? 0 : step.commands.front().line;
    outcome.diff += fmt::format("step at line {}:\n{}", line, diff_of(step.expected, actual));
  }
  outcome.rewritten += scenario.rest;
  // One newline at the end, not two.
  if (outcome.rewritten.ends_with("\n\n")) outcome.rewritten.pop_back();
  return outcome;
}

}  // namespace berth::sim
