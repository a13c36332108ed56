// berth completion bash|zsh|fish: a script for the shell. The scripts, and kubectl for its plugin,
// ask the program itself what fits: berth __complete WORD... prints it, the last word being the one
// that is typed. Tested by tests/deploy/package_test.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"

namespace berth::app {
namespace {

// What kubectl understands behind the last candidate.
constexpr std::string_view kNoFiles = ":4";
constexpr std::string_view kFilesToo = ":0";

constexpr const char* kBash = R"sh(_berth() {
  local words
  words=$(berth __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | sed '$d' | cut -f 1)
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _berth berth
)sh";

constexpr const char* kZsh = R"sh(#compdef berth
_berth() {
  local -a candidates
  candidates=(${(f)"$(berth __complete "${(@)words[2,CURRENT]}" 2>/dev/null | sed '$d' | tr '\t' ':')"})
  if (( ${#candidates} )); then _describe berth candidates; else _files; fi
}
if [ "$funcstack[1]" = _berth ]; then _berth; else compdef _berth berth; fi
)sh";

constexpr const char* kFish = R"sh(function __berth_complete
  set -l words (commandline -opc) (commandline -ct)
  berth __complete $words[2..-1] 2>/dev/null | sed '$d'
end
complete -c berth -a '(__berth_complete)'
)sh";

using Candidate = std::pair<std::string, std::string>;  // And what it does.

bool takes_value(const CLI::App& command, const std::string& flag) {
  const CLI::Option* option = command.get_option_no_throw(flag);
  return option && option->get_items_expected_max() > 0;
}

const CLI::App* subcommand(const CLI::App& command, const std::string& word) {
  for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->check_name(word)) return one;
  }
  return nullptr;
}

// The first sentence of a description is enough for a list.
std::string short_text(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<Candidate> candidates(const CLI::App& command, const std::string& typed) {
  std::vector<Candidate> found;
  if (typed.starts_with('-')) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        found.emplace_back("--" + name, short_text(option->get_description()));
      }
    }
  } else {
    for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) {
      found.emplace_back(one->get_name(), short_text(one->get_description()));
    }
  }
  std::erase_if(found, [&typed](const Candidate& one) { return !one.first.starts_with(typed); });
  return found;
}

}  // namespace

void print_completions(const CLI::App& app, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const CLI::App* command = &app;
  bool is_value = false;  // Whether the word belongs to the flag before it.
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (std::exchange(is_value, false)) continue;
    if (words[i].starts_with('-')) {
      is_value = !words[i].contains('=') && takes_value(*command, words[i]);
    } else if (const CLI::App* next = subcommand(*command, words[i])) {
      command = next;
    }
  }
  const std::vector<Candidate> found =
      is_value ? std::vector<Candidate>() : candidates(*command, words.back());
  for (const auto& [word, text] : found) fmt::print("{}\t{}\n", word, text);
  fmt::print("{}\n", found.empty() ? kFilesToo : kNoFiles);
}

void add_completion(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  command->footer(
      "Examples:\n"
      "  # In this shell only\n  source <(berth completion bash)\n"
      "  # For kubectl berth, where kubectl completes already\n"
      "  ln -s $(command -v berth) ~/.local/bin/kubectl_complete-berth");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&action, shell] {
    action = [shell] {
      std::fputs(*shell == "bash" ? kBash : *shell == "zsh" ? kZsh : kFish, stdout);
      return 0;
    };
  });
}

}  // namespace berth::app
