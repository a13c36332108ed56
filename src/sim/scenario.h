// Transcripts that people read and programs check: commands, ----, and what they print.
//
//   # A comment says why.
//   send agent hub hello
//   advance 1s
//   ----
//   hub heard hello
//
// A blank line ends the expected output. Words are separated by spaces; "two words" in quotes are
// one; key=value is an option. An output line that is empty is written as a single dot.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace berth::sim {

struct ScenarioCommand {
  int line = 0;
  std::string name;
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> options = {};

  // Errors name the line and what was expected.
  Result<std::string> argument(std::size_t index, std::string_view what) const;
  Result<Duration> duration(std::size_t index, std::string_view what) const;
  std::string option_or(const std::string& key, std::string_view otherwise) const;
  Result<Duration> duration_or(const std::string& key, Duration otherwise) const;
  Error error(std::string_view message) const;
};

struct ScenarioStep {
  std::string source;  // All lines up to and with the ----, as they are.
  std::vector<ScenarioCommand> commands;
  std::vector<std::string> expected;
};

struct Scenario {
  std::vector<ScenarioStep> steps;
  std::string rest;  // Comments behind the last step.
};

Result<Scenario> parse_scenario(std::string_view text);

// What a command prints; a trailing newline may be left out. An error is printed as "error: ...".
using ScenarioHandlers =
    std::map<std::string, std::function<Result<std::string>(const ScenarioCommand&)>>;

struct ScenarioOutcome {
  std::string diff;       // Empty if all came as expected.
  std::string rewritten;  // The file with what really came.
};

ScenarioOutcome run_scenario(const Scenario& scenario, const ScenarioHandlers& handlers);

// "1m30s", "250ms", "2h": whole numbers with units, added up.
Result<Duration> parse_duration(std::string_view text);

}  // namespace berth::sim
