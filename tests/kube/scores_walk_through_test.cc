// The walk-throughs of the documents that introduced scores for placements, from joining clusters
// to cleaning up: every command is in transcripts/walk-throughs/scores.txt. BERTH_REWRITE=1 writes
// what really came into that file.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include "kube/accounts.h"
#include "kube/commands.h"
#include "kube/contents.h"
#include "kube/crds.h"
#include "kube/paths.h"
#include "kube/pod_cluster.h"
#include "kube/server.h"
#include "kube/shell.h"
#include "kube/transcript.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kVersion = "any";
constexpr std::string_view kControllers = "registration,clustersets,placement";
constexpr std::array kNames = {"hub", "cluster1", "cluster2"};

// Pods and certificate requests have names that the server makes up; on a slow machine things are
// older than masked() expects.
std::string without_made_up(std::string text) {
  RE2::GlobalReplace(&text, R"((resource-usage-collect-[a-z]+)-[a-z0-9]{8,10}-[a-z0-9]{5}\b)",
                     R"(\1-POD)");
  RE2::GlobalReplace(&text, R"(\b(cluster\d)-[a-z0-9]{5}\b)", R"(\1-NAME)");
  RE2::GlobalReplace(&text, R"(\b1[01]\ds\b)", "AGE");
  return text;
}

bool only_looks(std::string_view command) {
  static const RE2 kLooks(R"((?s)(kubectl|berth)( --context \S+)? (get|describe) .*)");
  return RE2::FullMatch(command, kLooks);
}

class ScoresWalkThrough : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(
          clusters_[i].start(kNames[i], i == 0 ? std::string(kControllers) : "none"));
      ASSERT_TRUE(apply_berth_crds(*clusters_[i].server).ok());
    }
    PodCluster& hub = clusters_[0];
    if (hub.server->kind() == ServerKind::KubeApiserver) {
      hub.keep(start_controllers(*hub.server, {"--controllers=" + std::string(kControllers)}));
    }
    const char* kubectl = std::getenv("BERTH_KUBECTL");
    ASSERT_TRUE(kubectl) << "$BERTH_KUBECTL is not set: run the tests with make test-kube";
    const std::filesystem::path kubeconfig = hub.server->folder() / "fleet.kubeconfig";
    write_kubeconfig(clusters_, "kind-", kubeconfig);
    shell_ = std::make_unique<Shell>(
        Shell::Options{.home = hub.server->folder() / "shell",
                       .kubeconfig = kubeconfig,
                       .programs = {{"kubectl", kubectl}, {"berth", berth_program()}},
                       .folder = source_path("")});
  }

  // The command that joins a cluster ends with the advice to run its agent.
  void take_advice(const std::string& command) {
    static const RE2 kJoins(R"(\$\(berth get token .* --context kind-(\S+))");
    std::string name;
    if (!RE2::FullMatch(command, kJoins, &name)) return;
    start_agent(*std::ranges::find(clusters_, name, &PodCluster::name));
  }

  // With the rights that it has where it runs in the cluster.
  static void start_agent(PodCluster& cluster) {
    const auto kubeconfig = install_account(*cluster.server, agent_account());
    ASSERT_TRUE(kubeconfig.ok()) << kubeconfig.error().message;
    cluster.keep(Child::start({berth_program().string(), "agent", "--cluster-name=" + cluster.name,
                               "--kubeconfig=" + kubeconfig->string(), "--parts=work,addons",
                               "--health-probe-bind-address=0", "--metrics-bind-address=0"},
                              cluster.server->folder() / "agent.log"));
  }

  // What only looks is asked again until it shows what is expected: others are at work.
  std::string run(const TranscriptStep& step, const std::string& expected) {
    std::string printed;
    const auto once = [&] {
      printed = without_made_up(shell_->run(step.command));
      return printed == expected;
    };
    if (!only_looks(step.command)) {
      once();
    } else {
      wait_until(once, rewrites_ ? 20s : 120s);
    }
    return printed;
  }

  const bool rewrites_ = std::getenv("BERTH_REWRITE") != nullptr;
  std::array<PodCluster, kNames.size()> clusters_;
  std::unique_ptr<Shell> shell_;
};

TEST_F(ScoresWalkThrough, FromJoiningToCleaningUp) {
  const std::filesystem::path file = source_path("tests/kube/transcripts/walk-throughs/scores.txt");
  auto transcript = parse_transcript(contents(file), {std::string(kVersion)});
  ASSERT_TRUE(transcript.ok()) << transcript.error().message;
  for (TranscriptStep& step : transcript->steps) {
    std::string& expected = step.expected[std::string(kVersion)];
    const std::string printed = run(step, expected);
    take_advice(step.command);
    if (rewrites_) {
      expected = printed;
    } else {
      ASSERT_EQ(printed, expected) << "$ " << step.command;
    }
  }
  if (rewrites_) std::ofstream(file, std::ios::binary) << print_transcript(*transcript);
}

}  // namespace
}  // namespace berth::kube
