// What every subcommand of berth is: a function that adds it to the command line.

#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace berth::app {

// What runs after the command line was understood; the result is the process's exit code.
using Action = std::function<int()>;

// Each adds its subcommand to `app` and stores what to do in `action` when it was chosen. Flags are
// read here and nowhere else.
void add_controllers(CLI::App& app, Action& action);
void add_version(CLI::App& app, Action& action);
void add_crds(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

}  // namespace berth::app
