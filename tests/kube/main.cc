// The integration tests, on the server that $BERTH_TEST_HUB names, without those that make no sense
// there or need a program that is not here. What is left out is told.
//
//   BERTH_JOBS=4             processes side by side; 0: all in this one, for a debugger
//   BERTH_TEST_SECONDS=180   the limit of one test

#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "kube/accounts.h"
#include "kube/conductor.h"
#include "kube/crds.h"
#include "kube/server.h"
#include "main/time_limit.h"

namespace {

using berth::kube::ServerKind;

struct LeftOut {
  std::string_view tests;  // In the words of --gtest_filter.
  std::string_view why;
};

// On the embedded hub. A comparison of our own functions with the server's answers stays: there it
// shows that the hub uses them.
constexpr LeftOut kOnHub[] = {
    {"Kubeconfigs.*:Protobuf.RandomObjectsReadAsTheirJson:ProtobufRequests.*",
     "no server takes part: they run with the real one"},
    {"KindsOfARealServer.*:OpenApiOfARealServer.*",
     "the hub answers out of the very tables that they compare with the reference"},
    {"*/UncachedInformers.*", "the hub has no etcd behind a cache"},
    {"KubeScheduler.*", "kube-scheduler waits for kinds that the hub does not have"},
};

// On a real server.
constexpr LeftOut kOnKube[] = {
    {"*WalkThrough.*/ControllersInsideTheHub", "a real server has no controllers inside"},
    {"HubCommand.*:UpCommand.*", "they are about the embedded hub"},
    {"Crashes.*", "what survives there is etcd's to answer for"},
};

// Where the variable that names a program is not set. tests/kube/run sets those of its short form,
// tests/kube/run --all sets every one.
struct Needed {
  const char* variable;
  std::string_view tests;
};
constexpr Needed kNeeded[] = {
    {"BERTH_KUBECTL",
     "AddOns.*:BesideOcm.*:Chart.*:Controllers.*:Generators.*:HubOperator.*:Manifests.*:"
     "OpenApiOfARealServer.*:RebuiltPods.WaitWhile*:Scores.*:ScoreSources.*:ScoresWalkThrough.*:"
     "Server.*:*/Guides.*:*/WalkThrough.*:*/KubectlTranscripts.*/1_35*"},
    {"BERTH_KUBECTL_1_30", "*/KubectlTranscripts.*/1_30*"},
    {"BERTH_KUBECTL_1_36", "*/KubectlTranscripts.*/1_36*"},
    {"BERTH_KUBE_APISERVER", "TwoServers.*"},
    {"BERTH_KUBE_SCHEDULER", "KubeScheduler.*"},
    {"BERTH_ORACLE", "Kubeconfigs.*:Protobuf*"},
    {"BERTH_KINDS", "KindsOfARealServer.*"},
    {"BERTH_HELM", "Chart.*:*/Guides.*/on_kubernetes"},
    {"BERTH_CLIENTS", "*/Clients.*"},
    {"BERTH_PYTHON_CLIENT", "Generators.AnybodyMayProvideScores:*/Guides.*/score_provider"},
    {"BERTH_OCM", "TwoServers.*"},
    {"BERTH_OCM_PLACEMENT", "BesideOcm.*:PlacementComparison.*:*/WalkThrough.*/OcmController"},
    {"BERTH_OCM_ADDON", "AddOnsComparison.*"},
    {"BERTH_OCM_WORK", "WorkComparison.*:HostedDeliveryByOcm.*:Pairings.*:*/Pairings.*"},
};

// By the clock; those that mostly wait are among them.
constexpr std::array kLongest = {
    "Generators.",    "ScoreSources.", "Each/Guides.DoWhatTheyShow/scenarios",
    "JoinCommands.",  "Hosting.",      "Rotation.",
    "UpCommand.",     "BadInputs.",    "DeliveringWork.",
    "Controllers.",   "Scores.",       "SeveralAgents.",
    "HostedDelivery", "Manifests.",    "BothWays/Informers.Notice",
};

void leave_out(std::string_view tests, std::string_view why) {
  if (!berth::kube::is_conducted()) fmt::print("Left out: {} ({})\n", tests, why);
  std::string filter = GTEST_FLAG_GET(filter);
  filter += filter.contains('-') ? ":" : "-";
  GTEST_FLAG_SET(filter, filter + std::string(tests));
}

// A run prints thousands of lines: what went wrong stands once more at its end.
class FailuresAtTheEnd : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo& test) override {
    test_ = fmt::format("{}.{}", test.test_suite_name(), test.name());
  }
  void OnTestEnd(const testing::TestInfo& /*test*/) override { test_ = "outside of tests"; }

  // gtest holds its lock meanwhile: whoever asks it which test runs waits for ever.
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    failures_ +=
        fmt::format("{} at {}:{}\n{}\n", test_, result.file_name() ? result.file_name() : "?",
                    result.line_number(), result.message());
  }

  void OnTestProgramEnd(const testing::UnitTest& /*all*/) override {
    if (!failures_.empty()) fmt::print("\nWhat failed:\n{}", failures_);
  }

 private:
  std::string test_ = "outside of tests";
  std::string failures_;
};

// Used only to mend what somebody else has changed, or to remove what is one too many: each of
// these is tested in the simulator, and not on a server yet.
const std::set<std::string> kRarelyUsed = {
    "delete placementdecisions.cluster.open-cluster-management.io",
    "patch addonplacementscoregenerators.cluster.open-cluster-management.io",
    "patch addonplacementscores.cluster.open-cluster-management.io",
    "patch clusterrolebindings.rbac.authorization.k8s.io",
    "patch managedclusteraddons.addon.open-cluster-management.io",
    "patch managedclustersets.cluster.open-cluster-management.io",
    "patch namespaces",
    "patch placementdecisions.cluster.open-cluster-management.io",
};

// Rights that nobody uses are given to whoever breaks in: what all tests together did not need
// lacks a test, or should go.
int judge_rights() {
  int status = EXIT_SUCCESS;
  for (const berth::kube::Right& right :
       berth::kube::unused_rights(berth::kube::controllers_account())) {
    if (kRarelyUsed.contains(right.text())) continue;
    fmt::print("FAILED: no test needs that the controllers may {}\n", right.text());
    status = EXIT_FAILURE;
  }
  return status;
}

void choose_tests() {
  const bool is_hub = berth::kube::server_kind() == ServerKind::EmbeddedHub;
  if (is_hub) {
    for (const LeftOut& one : kOnHub) leave_out(one.tests, one.why);
  } else {
    for (const LeftOut& one : kOnKube) leave_out(one.tests, one.why);
  }
  for (const Needed& one : kNeeded) {
    const char* program = std::getenv(one.variable);
    if (!program || !*program) leave_out(one.tests, fmt::format("${} is not set", one.variable));
  }
}

// As many as $BERTH_JOBS says.
int conducted(std::vector<std::string> flags, int jobs) {
  const bool is_hub = berth::kube::server_kind() == ServerKind::EmbeddedHub;
  return berth::kube::conduct(
      {.program = "/proc/self/exe",
       .flags = std::move(flags),
       .repeat = is_hub ? "BERTH_TEST_HUB=embedded tests/kube/run" : "tests/kube/run",
       .jobs = jobs,
       .longest = {kLongest.begin(), kLongest.end()}});
}

}  // namespace

int main(int argc, char** argv) {
  // Tests that run make are no part of the make that runs them.
  for (const char* name : {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}) ::unsetenv(name);
  std::vector<std::string> flags(argv + 1, argv + argc);
  testing::InitGoogleTest(&argc, argv);
  const bool runs_all = GTEST_FLAG_GET(filter) == "*" && std::getenv("BERTH_OCM");
  choose_tests();
  const char* said = std::getenv("BERTH_JOBS");
  const auto jobs = static_cast<int>(berth::parse_int64(said ? said : "").value_or(4));
  if (jobs > 0 && !berth::kube::is_conducted() && !GTEST_FLAG_GET(list_tests)) {
    const berth::kube::RightsRecord record;
    const berth::kube::PreparedCrds prepared;
    const int status = conducted(std::move(flags), jobs);
    const bool judges = runs_all && berth::kube::server_kind() == ServerKind::KubeApiserver;
    return status == EXIT_SUCCESS && judges ? judge_rights() : status;
  }
  berth::testing::limit_each_test(std::chrono::seconds(180));
  // The list owns it.
  testing::UnitTest::GetInstance()->listeners().Append(new FailuresAtTheEnd);
  return RUN_ALL_TESTS();
}
