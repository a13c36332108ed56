// The integration tests, on the server that $BERTH_TEST_HUB names, without those that make no sense
// there or need a program that is not here. What is left out is told.

#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kube/accounts.h"
#include "kube/server.h"

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

// Programs in Go that only make test-kube builds.
constexpr LeftOut kWithoutPeers[] = {
    {"Chart.*:Server.*:Controllers.*:*WalkThrough.*:*/KubectlTranscripts.*:*/Clients.*:AddOns.*:"
     "Generators.*:HubOperator.*:Manifests.*:Scores.*:ScoreSources.*:*/Guides.*",
     "they need kubectl or other clients: run them with tests/deep/run clients"},
    {"TwoServers.*:PlacementComparison.*:AddOnsComparison.*:Pairings.*:*/Pairings.*:"
     "WorkComparison.*:HostedDeliveryByOcm.*",
     "they need OCM: run them with tests/deep/run clients"},
};

void leave_out(const LeftOut& one) {
  fmt::print("Left out: {} ({})\n", one.tests, one.why);
  std::string filter = GTEST_FLAG_GET(filter);
  filter += filter.contains('-') ? ":" : "-";
  GTEST_FLAG_SET(filter, filter + std::string(one.tests));
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
class UnusedRights : public testing::Environment {
 public:
  void TearDown() override {
    for (const berth::kube::Right& right :
         berth::kube::unused_rights(berth::kube::controllers_account())) {
      if (kRarelyUsed.contains(right.text())) continue;
      ADD_FAILURE() << "no test needs that the controllers may " << right.text();
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  // Tests that run make are no part of the make that runs them.
  for (const char* name : {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}) ::unsetenv(name);
  testing::InitGoogleTest(&argc, argv);
  const bool runs_all = GTEST_FLAG_GET(filter) == "*";
  if (berth::kube::server_kind() == ServerKind::EmbeddedHub) {
    for (const LeftOut& one : kOnHub) leave_out(one);
    if (!std::getenv("BERTH_KUBECTL")) {
      for (const LeftOut& one : kWithoutPeers) leave_out(one);
    }
  } else {
    for (const LeftOut& one : kOnKube) leave_out(one);
    if (runs_all) testing::AddGlobalTestEnvironment(new UnusedRights);  // gtest owns it.
  }
  // The list owns it.
  testing::UnitTest::GetInstance()->listeners().Append(new FailuresAtTheEnd);
  return RUN_ALL_TESTS();
}
