// Tested by docs/guides/mistakes.md, which tests/kube/guides_test.cc runs.
#include "app/usage.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/strings.h"

namespace berth::app {
namespace {

constexpr std::size_t kNear = 2;  // So many letters wrong are a slip.

// How many letters have to be changed, added or left out.
std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i);
    for (std::size_t k = 1; k < row.size(); ++k) {
      const std::size_t changed = corner + (one[i - 1] == other[k - 1] ? 0 : 1);
      corner = row[k];
      row[k] = std::min({changed, row[k] + 1, row[k - 1] + 1});
    }
  }
  return row.back();
}

std::string meant(const std::string& word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  for (const std::string& one : known) {
    if (distance(word, one) > kNear) continue;
    if (!best || distance(word, one) < distance(word, *best)) best = &one;
  }
  return best ? fmt::format("; did you mean {}?", *best) : "";
}

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

// The words in the order of the command line, until one that nobody knows.
class Walk {
 public:
  explicit Walk(const CLI::App& app) : command_(&app), name_(app.get_name()) {}

  // What is wrong with it; empty: nothing that we see.
  std::string take(const std::string& word) {
    if (std::exchange(is_value_, false)) return "";
    if (word.starts_with('-')) return take_flag(word);
    const std::vector<const CLI::App*> commands = commands_of(*command_);
    if (commands.empty()) return "";
    for (const CLI::App* one : commands) {
      if (!one->check_name(word)) continue;
      command_ = one;
      name_ += " " + one->get_name();
      return "";
    }
    std::vector<std::string> known;
    for (const CLI::App* one : commands) known.push_back(one->get_name());
    return fmt::format("there is no \"{} {}\"; there are {}{}", name_, word, join(known, ", "),
                       meant(word, known));
  }

  const std::string& name() const { return name_; }

 private:
  std::string take_flag(const std::string& word) {
    const std::string flag = word.substr(0, word.find('='));
    const CLI::Option* option = command_->get_option_no_throw(flag);
    const bool is_long = flag.starts_with("--");
    if (!option && is_long) {
      return fmt::format("\"{}\" has no flag {}{}", name_, flag, meant(flag, flags_of(*command_)));
    }
    is_value_ = option && option->get_items_expected_max() > 0 && !word.contains('=');
    return "";
  }

  const CLI::App* command_;
  std::string name_;
  bool is_value_ = false;
};

}  // namespace

std::string usage_error(const CLI::App& app, const std::vector<std::string>& words,
                        const std::string& said) {
  Walk walk(app);
  std::string found;
  for (const std::string& word : words) {
    if (word == "--") break;
    found = walk.take(word);
    if (!found.empty()) break;
  }
  return fmt::format("{}\nSee \"{} --help\".", found.empty() ? said : found, walk.name());
}

}  // namespace berth::app
