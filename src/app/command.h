// What every subcommand of berth is: a function that adds it to the command line.

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace berth::app {

// What runs after the command line was understood; the result is the process's exit code.
using Action = std::function<int()>;

// Each adds its subcommand to `app` and stores what to do in `action` when it was chosen. Flags are
// read here and nowhere else.
void add_agent(CLI::App& app, Action& action);
void add_controllers(CLI::App& app, Action& action);
void add_kubelet(CLI::App& app, Action& action);
void add_scheduler(CLI::App& app, Action& action);
void add_extender(CLI::App& app, Action& action);
void add_hub(CLI::App& app, Action& action);
void add_hub_backup(CLI::App& hub, Action& action);  // Subcommands of hub.
void add_hub_kubeconfig(CLI::App& hub, Action& action);
void add_up(CLI::App& app, Action& action);
void add_down(CLI::App& app, Action& action);
void add_version(CLI::App& app, Action& action);
void add_crds(CLI::App& app, Action& action);
void add_manifests(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_get(CLI::App& app, Action& action);
void add_get_objects(CLI::App& get, Action& action);  // Subcommands of get.
void add_describe(CLI::App& app, Action& action);
void add_clusterset(CLI::App& app, Action& action);
void add_cordon(CLI::App& app, Action& action);
void add_join(CLI::App& app, Action& action);
void add_unjoin(CLI::App& app, Action& action);
void add_accept(CLI::App& app, Action& action);
void add_detach(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

// What may stand for the last of the words, which is being typed, a line each.
void print_completions(const CLI::App& app, std::vector<std::string> words);

}  // namespace berth::app
