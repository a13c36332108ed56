// kubectl of three versions, command by command: transcripts/kubernetes on any server, so that the
// hub answers word by word as the real one; transcripts/hub only on Berth's own. BERTH_REWRITE=1
// writes what really came into the files.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kube/contents.h"
#include "kube/paths.h"
#include "kube/server.h"
#include "kube/server_kinds.h"
#include "kube/shell.h"
#include "kube/transcript.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;

struct Kubectl {
  std::string version;
  const char* variable;  // Of the environment, with the path of the program.
};

const std::vector<Kubectl> kKubectls = {
    {"1.30", "BERTH_KUBECTL_1_30"}, {"1.35", "BERTH_KUBECTL"}, {"1.36", "BERTH_KUBECTL_1_36"}};

std::vector<fs::path> transcripts(ServerKind kind) {
  std::vector<fs::path> files;
  for (const std::string_view folder : {"kubernetes", "hub"}) {
    if (folder == "hub" && kind != ServerKind::EmbeddedHub) continue;
    for (const auto& entry :
         fs::directory_iterator(source_path("tests/kube/transcripts") / folder)) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

struct Pair {
  Kubectl kubectl;
  ServerKind server;
};

// Where the real server is tested, the hub stands beside it with the kubectl of the same version.
std::vector<Pair> pairs() {
  std::vector<Pair> pairs;
  const bool is_hub = server_kind() == ServerKind::EmbeddedHub;
  for (const Kubectl& kubectl : kKubectls) {
    const bool is_same = kubectl.version == "1.35";
    if (is_hub || is_same) pairs.push_back({kubectl, ServerKind::EmbeddedHub});
    if (!is_hub && is_same) pairs.push_back({kubectl, ServerKind::KubeApiserver});
  }
  return pairs;
}

Shell shell_with(const Server& server, const Kubectl& kubectl) {
  const char* program = std::getenv(kubectl.variable);
  return Shell({.home = server.folder() / ("shell-" + kubectl.version),
                .kubeconfig = server.folder() / "admin.kubeconfig",
                .programs = {{"kubectl", program ? program : "missing"}}});
}

class KubectlTranscripts : public ::testing::TestWithParam<Pair> {
 protected:
  void replay(const fs::path& file, const Shell& shell) {
    std::vector<std::string> versions;
    for (const Kubectl& kubectl : kKubectls) versions.push_back(kubectl.version);
    auto transcript = parse_transcript(contents(file), versions);
    ASSERT_TRUE(transcript.ok()) << file << ": " << transcript.error().message;
    for (TranscriptStep& step : transcript->steps) {
      std::string& expected = step.expected[GetParam().kubectl.version];
      const std::string printed = shell.run(step.command);
      if (rewrites_) {
        expected = printed;
      } else {
        EXPECT_EQ(printed, expected) << file.filename() << ": $ " << step.command;
      }
    }
    if (rewrites_) std::ofstream(file, std::ios::binary) << print_transcript(*transcript);
  }

  const bool rewrites_ = std::getenv("BERTH_REWRITE") != nullptr;
};

TEST_P(KubectlTranscripts, SayWhatEachCommandPrints) {
  auto server = Server::start({.kind = GetParam().server});
  ASSERT_TRUE(server.ok()) << server.error().message;
  ASSERT_TRUE(std::getenv(GetParam().kubectl.variable))
      << "$" << GetParam().kubectl.variable << " is not set: use make test-kube";
  const Shell shell = shell_with(**server, GetParam().kubectl);
  for (const fs::path& file : transcripts(GetParam().server)) {
    SCOPED_TRACE(file);
    replay(file, shell);
  }
}

INSTANTIATE_TEST_SUITE_P(EachVersion, KubectlTranscripts, ::testing::ValuesIn(pairs()),
                         [](const auto& test) {
                           std::string version = test.param.kubectl.version;
                           version.replace(version.find('.'), 1, "_");
                           return fmt::format("{}On{}", version, name_of(test.param.server));
                         });

}  // namespace
}  // namespace berth::kube
