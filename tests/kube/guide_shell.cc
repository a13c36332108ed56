#include "kube/guide_shell.h"

#include <fstream>
#include <iterator>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "kube/contents.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHome = "/home/you";  // As guides have it.

// A shell that knows nothing of what is set up for whoever runs the tests.
std::vector<std::string> shell_for(const fs::path& script) {
  return {"env", "-u", "KUBECONFIG", "-u", "XDG_DATA_HOME", "bash", script.string()};
}

// Some clients log how their watches end, or not, as it happens to come.
std::string without_logs(std::string text) {
  static const RE2 kLogLine(R"((?m)^[IWE]\d{4} [\d:.]+ +\d+ [a-z_]+\.go:\d+\] .*\n)");
  RE2::GlobalReplace(&text, kLogLine, "");
  return text;
}

}  // namespace

GuideShell::GuideShell(Options options) : options_(std::move(options)) {
  fs::create_directories(home() / "bin");
  fs::create_directories(home() / "berth");
  for (const auto& [name, program] : options_.programs) {
    fs::create_symlink(program, home() / "bin" / name);
  }
  for (const auto& [name, file] : options_.files) fs::create_symlink(file, home() / "berth" / name);
  std::ofstream(home() / "environment") << fmt::format(
      "export HOME='{0}' PATH=\"{0}/bin:$PATH\" LC_ALL=C\n"
      "cd '{0}/berth'\n",
      home().string());
}

GuideShell::~GuideShell() {
  for (Child& terminal : terminals_ | std::views::reverse) terminal.stop();
  fs::remove_all(options_.folder);
}

std::string GuideShell::run(const std::string& command) {
  std::ofstream(home() / "script") << fmt::format(
      "{0}"
      "trap 'code=$?; {{ export -p; printf \"cd %q\\n\" \"$PWD\"; }} >\"$HOME/environment\"\n"
      "  [ $code = 0 ] || echo \"(exit $code)\"' EXIT\n"
      "exec >\"$HOME/output\" 2>&1 </dev/null\nset -e -o pipefail\n{1}\n",
      beginning(), command);
  // How it ended is in what was printed.
  static_cast<void>(kube::run(shell_for(home() / "script")).ok());
  return with_known_names(without_logs(contents(home() / "output")));
}

Status GuideShell::start(const std::string& command) {
  const std::string number = std::to_string(terminals_.size());
  const fs::path script = home() / ("script-" + number);
  std::ofstream(script) << fmt::format("{}exec {} 2>'{}'\n", beginning(), command,
                                       (home() / ("errors-" + number)).string());
  ASSIGN_OR_RETURN(Child child, Child::start(shell_for(script), home() / ("terminal-" + number)));
  terminals_.push_back(std::move(child));
  return {};
}

std::string GuideShell::printed_by_last() const {
  return with_known_names(contents(home() / ("terminal-" + std::to_string(terminals_.size() - 1))));
}

std::string GuideShell::complaints() const {
  return contents(home() / ("errors-" + std::to_string(terminals_.size() - 1)));
}

std::string GuideShell::beginning() const {
  return fmt::format(". '{}'\n", (home() / "environment").string());
}

std::string GuideShell::with_known_names(std::string text) const {
  const std::string ours = home().string();
  for (std::size_t at = text.find(ours); at != text.npos; at = text.find(ours, at)) {
    text.replace(at, ours.size(), kHome);
  }
  return text;
}

}  // namespace berth::kube
