// Every command of docs/guides/ does what the guide shows, in order, on a fleet that `berth up`
// makes: its own where the guide starts one, else one that is running already. BERTH_REWRITE=1
// writes what really came into the guides.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <re2/re2.h>
#include <unistd.h>

#include "kube/contents.h"
#include "kube/guide.h"
#include "kube/guide_shell.h"
#include "kube/own_network.h"
#include "kube/paths.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t kNotRunAtMost = 4;  // In all guides together.

std::vector<fs::path> guides() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(source_path("docs/guides"))) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// Programs that go on until they are stopped, unless the guide shows how they fail. A scenario
// without a terminal ends by itself.
bool lasts(const GuideStep& step) {
  static const RE2 kLasts(
      R"(berth (up|agent|controllers|extender|kubelet|scheduler|hub --)[^\n]*|berth (hub|agent))");
  const bool fails = !step.output.empty() && step.output.back().starts_with("(exit ");
  const bool ends = step.command.contains(" --scenario ") && step.command.contains(" --headless");
  return !fails && !ends && RE2::FullMatch(step.command, kLasts);
}

// What only looks is asked again until it shows what is expected: others are at work.
bool only_looks(const std::string& command) {
  static const RE2 kLooks(
      R"((?s)(kubectl|berth|kubectl berth)( --context \S+| -n \S+)* (get|describe|explain) .*)");
  return RE2::FullMatch(command, kLooks);
}

class Guides : public ::testing::TestWithParam<fs::path> {
 protected:
  Guides()
      : shell_({.folder = fs::temp_directory_path() / fmt::format("berth-guide-{}", ::getpid()),
                .programs = {{"berth", berth_program()},
                             {"kubectl-berth", berth_program()},
                             {"kubectl", program_of("BERTH_KUBECTL")},
                             {"helm", program_of("BERTH_HELM")}},
                .files = {{"Makefile", source_path("Makefile")},
                          {"deploy", source_path("deploy")},
                          {"docs", source_path("docs")}}}) {}

  static fs::path program_of(const char* variable) {
    const char* program = std::getenv(variable);
    return program ? program : "missing";
  }

  void start_fleet() {
    ASSERT_TRUE(shell_.start("berth up").ok());
    wait_until([&] { return shell_.printed_by_last().contains("ready after"); }, 120s);
    ASSERT_TRUE(shell_.last_is_running()) << shell_.complaints();
    shell_.run("export KUBECONFIG=\"$HOME/.local/share/berth/up/kubeconfig\"");
  }

  std::string run(const GuideStep& step) {
    std::string printed;
    if (lasts(step)) {
      EXPECT_TRUE(shell_.start(step.command).ok());
      wait_until([&] { return begins_as_shown(step, shell_.printed_by_last()); }, patience_);
      EXPECT_TRUE(shell_.last_is_running()) << shell_.complaints();
      return shell_.printed_by_last();
    }
    const auto once = [&] {
      printed = shell_.run(step.command);
      return is_shown(step, printed);
    };
    if (only_looks(step.command)) {
      wait_until(once, patience_);
    } else {
      once();
    }
    return printed;
  }

  bool is_as_shown(const GuideStep& step, const std::string& printed) const {
    if (!step.shows_output) return !printed.contains("(exit ");
    return lasts(step) ? begins_as_shown(step, printed) : is_shown(step, printed);
  }

  const bool rewrites_ = std::getenv("BERTH_REWRITE") != nullptr;
  const std::chrono::seconds patience_ = rewrites_ ? 15s : 120s;
  OwnNetwork network_;
  GuideShell shell_;
};

TEST_P(Guides, DoWhatTheyShow) {
  ASSERT_TRUE(std::getenv("BERTH_KUBECTL")) << "$BERTH_KUBECTL is not set: use make test-kube";
  const auto guide = parse_guide(contents(GetParam()));
  ASSERT_TRUE(guide.ok()) << guide.error().message;
  const bool starts_fleet = std::ranges::any_of(guide->steps, [](const GuideStep& step) {
    return step.command.starts_with("berth up") && lasts(step);
  });
  if (!starts_fleet && !guide->steps.empty()) ASSERT_NO_FATAL_FAILURE(start_fleet());
  std::vector<std::string> outputs;
  for (const GuideStep& step : guide->steps) {
    const std::string printed = run(step);
    const bool is_right = is_as_shown(step, printed);
    outputs.push_back(is_right && !step.output.empty()
                          ? fmt::format("{}\n", fmt::join(step.output, "\n"))
                          : printed);
    if (rewrites_) continue;
    ASSERT_TRUE(is_right) << GetParam().string() << ":" << step.line << ": $ " << step.command
                          << "\nprints\n"
                          << printed;
  }
  if (rewrites_) std::ofstream(GetParam(), std::ios::binary) << with_outputs(*guide, outputs);
}

INSTANTIATE_TEST_SUITE_P(Each, Guides, ::testing::ValuesIn(guides()), [](const auto& test) {
  std::string name = test.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
});

// What no test runs is wrong one day.
TEST(GuidesTogether, HaveFewCommandsThatNoTestRuns) {
  std::vector<std::string> reasons;
  std::size_t commands = 0;
  for (const fs::path& file : guides()) {
    const auto guide = parse_guide(contents(file));
    ASSERT_TRUE(guide.ok()) << file << ": " << guide.error().message;
    reasons.insert(reasons.end(), guide->not_run.begin(), guide->not_run.end());
    commands += guide->steps.size();
  }
  EXPECT_LE(reasons.size(), kNotRunAtMost) << fmt::format("{}", fmt::join(reasons, "\n"));
  EXPECT_GE(commands, 20U);
}

}  // namespace
}  // namespace berth::kube
