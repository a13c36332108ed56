// berth: the command line. Each subcommand is one file beside this one.

#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "app/command.h"

int main(int argc, char** argv) {
  CLI::App app(
      "Berth places work on fleets of Kubernetes clusters by what is really happening there",
      "berth");
  app.require_subcommand(0, 1);
  app.set_help_all_flag("--help-all", "Show the help of every subcommand");

  berth::app::Action action;
  berth::app::add_controllers(app, action);
  berth::app::add_crds(app, action);
  berth::app::add_explain(app, action);
  berth::app::add_simulate(app, action);
  berth::app::add_version(app, action);
  berth::app::add_completion(app, action);
  app.footer("Use \"berth COMMAND --help\" for more about a command.");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  if (!action) {
    std::puts(app.help().c_str());
    return 0;
  }
  return action();
}
