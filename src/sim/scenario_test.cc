#include "sim/scenario.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

const ScenarioHandlers kHandlers = {
    {"say", [](const ScenarioCommand& command) { return command.argument(0, "words"); }},
    {"option",
     [](const ScenarioCommand& command) -> Result<std::string> {
       return command.option_or("key", "none");
     }},
    {"quiet", [](const ScenarioCommand&) -> Result<std::string> { return std::string(); }},
};

ScenarioOutcome run(std::string_view text) {
  const auto scenario = parse_scenario(text);
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return run_scenario(*scenario, kHandlers);
}

TEST(Scenario, PassesWhenTheOutputIsAsWritten) {
  constexpr std::string_view kText = R"(# Why.
say "two words"
option key=value
----
two words
value

# Nothing is printed.
quiet
----

say last
----
last
)";
  const ScenarioOutcome outcome = run(kText);
  EXPECT_EQ(outcome.diff, "");
  EXPECT_EQ(outcome.rewritten, kText);
}

TEST(Scenario, ShowsADifferenceAndWritesWhatCame) {
  const ScenarioOutcome outcome = run("# Why.\n\nsay a\nsay c\n----\na\nb\n");
  EXPECT_EQ(outcome.diff, "step at line 3:\n  a\n- b\n+ c\n");
  EXPECT_EQ(outcome.rewritten, "# Why.\n\nsay a\nsay c\n----\na\nc\n");
}

TEST(Scenario, PrintsErrorsAndBlankLines) {
  const ScenarioHandlers handlers = {
      {"blank", [](const ScenarioCommand&) -> Result<std::string> { return "a\n\nb\n"; }},
      {"say", kHandlers.at("say")}};
  const auto scenario = parse_scenario("say\nfly\nblank\n----\n");
  EXPECT_EQ(run_scenario(*scenario, handlers).rewritten,
            "say\nfly\nblank\n----\nerror: line 1: say: expected words\n"
            "error: no such command: fly\na\n.\nb\n");
}

TEST(Scenario, RefusesWhatItCannotRead) {
  EXPECT_EQ(parse_scenario("say a\n").error().message, "line 1: expected ---- before the end");
  EXPECT_EQ(parse_scenario("----\n").error().message, "line 1: ---- without a command");
  EXPECT_EQ(parse_scenario("say \"a\n----\n").error().message, "line 1: a quote is not closed");
}

TEST(Durations, AreNumbersWithUnits) {
  EXPECT_EQ(*parse_duration("1m30s"), 90s);
  EXPECT_EQ(*parse_duration("250ms"), 250ms);
  EXPECT_EQ(*parse_duration("0s"), 0s);
  for (const char* text : {"", "5", "s", "5 s", "-1s", "1d", "99999999999h"}) {
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  }
}

}  // namespace
}  // namespace berth::sim
