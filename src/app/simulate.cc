// berth simulate: Berth's own code in a simulated world that breaks in ways drawn from a seed.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "sim/explore.h"
#include "sim/run.h"
#include "suites/registry.h"

namespace berth::app {
namespace {

struct SimulateOptions {
  std::string suite = {};  // Empty: all of them.
  std::optional<std::uint64_t> seed = std::nullopt;
  std::uint64_t first = 1;
  std::uint64_t seeds = 50;
  bool list = false;
  bool verbose = false;
};

std::vector<sim::Suite> chosen_suites(const std::string& name) {
  std::vector<sim::Suite> chosen;
  for (sim::Suite& suite : suites::all()) {
    if (name.empty() || suite.name == name) chosen.push_back(std::move(suite));
  }
  return chosen;
}

double seconds(Duration length) { return std::chrono::duration<double>(length).count(); }

// One seed in this process, so that a debugger sees it.
int run_one(const sim::Suite& suite, std::uint64_t seed, bool verbose) {
  const sim::RunReport report = sim::run(suite, seed);
  std::puts(fmt::format("{} seed {}: {}, {} events in {:.1f} simulated seconds, trace {:016x}",
                        suite.name, seed, sim::to_text(report.outcome), report.events,
                        seconds(report.simulated), report.trace)
                .c_str());
  if (!report.what.empty() && (verbose || report.outcome != sim::RunOutcome::Passed)) {
    std::puts(report.what.c_str());
  }
  return sim::exit_code(report.outcome);
}

int run_many(const sim::Suite& suite, const SimulateOptions& options) {
  const sim::Exploration found =
      sim::explore(suite, {.first = options.first, .count = options.seeds});
  std::puts(fmt::format("{}: {} seeds, {} events, {:.0f} simulated seconds, {} failures",
                        suite.name, found.runs, found.events, seconds(found.simulated),
                        found.failures.size())
                .c_str());
  if (found.failures.empty()) return 0;
  std::puts(found.what().c_str());
  return sim::exit_code(found.failures.front().report.outcome);
}

int simulate(const SimulateOptions& options) {
  if (options.list) {
    for (const sim::Suite& suite : suites::all()) std::puts(suite.name.c_str());
    return 0;
  }
  const std::vector<sim::Suite> chosen = chosen_suites(options.suite);
  if (chosen.empty()) {
    std::fputs(fmt::format("berth: there is no suite \"{}\"; berth simulate --list shows them\n",
                           options.suite)
                   .c_str(),
               stderr);
    return 1;
  }
  int worst = 0;
  for (const sim::Suite& suite : chosen) {
    const int code =
        options.seed ? run_one(suite, *options.seed, options.verbose) : run_many(suite, options);
    worst = std::max(worst, code);
  }
  return worst;
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "simulate", "Run Berth's code in a simulated world that breaks, from seeds");
  command->footer(
      "Examples:\n"
      "  # Every suite, 50 seeds each\n  berth simulate\n"
      "  # Repeat what a failure printed\n  berth simulate --suite=informer --seed=7 --verbose\n\n"
      "Exit codes: 0 passed, 2 something wrong happened, 3 it did not settle, 4 it crashed.");
  const auto options = std::make_shared<SimulateOptions>();
  command->add_option("--suite", options->suite, "Only this suite");
  command->add_option("--seed", options->seed, "One seed, in this process");
  command->add_option("--first", options->first, "The first of many seeds")->capture_default_str();
  command->add_option("--seeds", options->seeds, "How many seeds")->capture_default_str();
  command->add_flag("--list", options->list, "List the suites");
  command->add_flag("--verbose", options->verbose, "Print the faults and the last log lines, too");
  command->callback([&action, options] { action = [options] { return simulate(*options); }; });
}

}  // namespace berth::app
