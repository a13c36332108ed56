// berth completion bash|zsh|fish: a script for the shell, made from the commands there are.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"

namespace berth::app {
namespace {

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

std::string bash_script(const CLI::App& app) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  std::string cases;
  for (const CLI::App* command : commands) {
    cases += fmt::format("    {}) words='{}' ;;\n", command->get_name(),
                         fmt::join(flags_of(*command), " "));
  }
  return fmt::format(
      "_berth() {{\n"
      "  local words='{}'\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${{COMP_WORDS[COMP_CWORD]}}\"))\n"
      "}}\n"
      "complete -o default -F _berth berth\n",
      fmt::join(names_of(commands), " "), cases);
}

std::string zsh_script(const CLI::App& app) {
  return "autoload -U +X bashcompinit && bashcompinit\n" + bash_script(app);
}

std::string fish_script(const CLI::App& app) {
  std::string script = "complete -c berth -f\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    script += fmt::format("complete -c berth -n __fish_use_subcommand -a {} -d '{}'\n",
                          command->get_name(), command->get_description());
    for (const std::string& flag : flags_of(*command)) {
      script += fmt::format("complete -c berth -n '__fish_seen_subcommand_from {}' -l {}\n",
                            command->get_name(), flag.substr(2));
    }
  }
  return script;
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  command->footer("Examples:\n  # In this shell only\n  source <(berth completion bash)");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, &action, shell] {
    action = [&app, shell] {
      const std::string script = *shell == "bash"  ? bash_script(app)
                                 : *shell == "zsh" ? zsh_script(app)
                                                   : fish_script(app);
      std::fputs(script.c_str(), stdout);
      return 0;
    };
  });
}

}  // namespace berth::app
