// berth: the command line. Each subcommand is one file beside this one. Also as kubectl berth:
// kubectl runs kubectl-berth, and asks kubectl_complete-berth for completion.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/command.h"
#include "app/usage.h"

int main(int argc, char** argv) {
  const std::string program = std::filesystem::path(argc > 0 ? argv[0] : "berth").filename();
  CLI::App app(
      "Berth places work on fleets of Kubernetes clusters by what is really happening there",
      program == "kubectl-berth" ? "kubectl berth" : "berth");
  app.require_subcommand(0, 1);
  app.set_help_all_flag("--help-all", "Show the help of every subcommand");

  berth::app::Action action;
  berth::app::add_up(app, action);
  berth::app::add_down(app, action);
  berth::app::add_controllers(app, action);
  berth::app::add_hub(app, action);
  berth::app::add_agent(app, action);
  berth::app::add_kubelet(app, action);
  berth::app::add_scheduler(app, action);
  berth::app::add_extender(app, action);
  berth::app::add_crds(app, action);
  berth::app::add_manifests(app, action);
  berth::app::add_get(app, action);
  berth::app::add_describe(app, action);
  berth::app::add_clusterset(app, action);
  berth::app::add_cordon(app, action);
  berth::app::add_join(app, action);
  berth::app::add_accept(app, action);
  berth::app::add_detach(app, action);
  berth::app::add_unjoin(app, action);
  berth::app::add_explain(app, action);
  berth::app::add_simulate(app, action);
  berth::app::add_version(app, action);
  berth::app::add_completion(app, action);
  app.footer("Use \"berth COMMAND --help\" for more about a command.");

  std::vector<std::string> words(argv + 1, argv + argc);
  const bool completes = program == "kubectl_complete-berth";
  if (completes || (!words.empty() && words.front() == "__complete")) {
    if (!completes) words.erase(words.begin());
    berth::app::print_completions(app, words);
    return 0;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // Help was asked for.
    const std::string text = berth::app::usage_error(app, words, error.what());
    std::fputs(("error: " + text + "\n").c_str(), stderr);
    return 1;
  }
  if (!action) {
    std::puts(app.help().c_str());
    return 0;
  }
  return action();
}
