// Tested by scenario_test.cc.

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include "base/strings.h"
#include "sim/scenario.h"

namespace berth::sim {
namespace {

Result<std::vector<std::string>> words_of(std::string_view line, int number) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  bool pending = false;
  for (const char letter : line) {
    if (letter == '"') {
      quoted = !quoted;
      pending = true;
    } else if (letter == ' ' && !quoted) {
      if (pending) words.push_back(std::exchange(word, {}));
      pending = false;
    } else {
      word += letter;
      pending = true;
    }
  }
  if (quoted) {
    return failure(Code::Invalid, fmt::format("line {}: a quote is not closed", number));
  }
  if (pending) words.push_back(word);
  return words;
}

Result<ScenarioCommand> parse_command(std::string_view line, int number) {
  ASSIGN_OR_RETURN(std::vector<std::string> words, words_of(line, number));
  ScenarioCommand command = {.line = number, .name = words.front()};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string::npos || equals == 0) {
      command.arguments.push_back(std::move(words[i]));
    } else {
      command.options[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    }
  }
  return command;
}

struct Unit {
  std::string_view name;
  Duration length;
};
// Longer names first where one begins with another.
constexpr std::array kUnits = {
    Unit{"ms", std::chrono::milliseconds(1)}, Unit{"us", std::chrono::microseconds(1)},
    Unit{"ns", std::chrono::nanoseconds(1)},  Unit{"s", std::chrono::seconds(1)},
    Unit{"m", std::chrono::minutes(1)},       Unit{"h", std::chrono::hours(1)},
};

}  // namespace

Result<Scenario> parse_scenario(std::string_view text) {
  Scenario scenario;
  ScenarioStep step;
  bool expecting = false;
  int number = 0;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (expecting) {
      if (!line.empty()) {
        step.expected.emplace_back(line);
        continue;
      }
      scenario.steps.push_back(std::exchange(step, {}));
      expecting = false;
      continue;
    }
    step.source += std::string(line) + "\n";
    if (line == "----") {
      if (step.commands.empty()) {
        return failure(Code::Invalid, fmt::format("line {}: ---- without a command", number));
      }
      expecting = true;
    } else if (!trim(line).empty() && !line.starts_with('#')) {
      ASSIGN_OR_RETURN(ScenarioCommand command, parse_command(line, number));
      step.commands.push_back(std::move(command));
    }
  }
  if (expecting) {
    scenario.steps.push_back(std::move(step));
  } else if (!step.commands.empty()) {
    return failure(Code::Invalid, fmt::format("line {}: expected ---- before the end", number));
  } else {
    scenario.rest = step.source;
  }
  return scenario;
}

Error ScenarioCommand::error(std::string_view message) const {
  return {.code = Code::Invalid, .message = fmt::format("line {}: {}: {}", line, name, message)};
}

Result<std::string> ScenarioCommand::argument(std::size_t index, std::string_view what) const {
  if (index >= arguments.size()) return failure(error(fmt::format("expected {}", what)));
  return arguments[index];
}

Result<Duration> ScenarioCommand::duration(std::size_t index, std::string_view what) const {
  ASSIGN_OR_RETURN(const std::string text, argument(index, what));
  return parse_duration(text);
}

std::string ScenarioCommand::option_or(const std::string& key, std::string_view otherwise) const {
  const auto option = options.find(key);
  return option == options.end() ? std::string(otherwise) : option->second;
}

Result<Duration> ScenarioCommand::duration_or(const std::string& key, Duration otherwise) const {
  const auto option = options.find(key);
  if (option == options.end()) return otherwise;
  return parse_duration(option->second);
}

Result<Duration> parse_duration(std::string_view text) {
  Duration sum = Duration::zero();
  std::string_view rest = text;
  const auto invalid = [&] {
    return failure(Code::Invalid,
                   fmt::format("'{}' is no length of time, such as 1m30s or 250ms", text));
  };
  if (rest.empty()) return invalid();
  while (!rest.empty()) {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const auto count = parse_int64(rest.substr(0, digits));
    rest.remove_prefix(digits);
    const auto unit =
        std::ranges::find_if(kUnits, [&](const Unit& each) { return rest.starts_with(each.name); });
    if (!count || *count > 1'000'000'000 || unit == kUnits.end()) return invalid();
    rest.remove_prefix(unit->name.size());
    sum += *count * unit->length;
  }
  return sum;
}

}  // namespace berth::sim
