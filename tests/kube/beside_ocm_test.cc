// Two who decide on one hub: OCM's own placement controller, and `berth controllers` for what is
// handed over to them. Neither writes what is the other's.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/ocm_controller.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// As they call themselves when they write.
constexpr std::string_view kBerth = "berth-placement";
constexpr std::string_view kOcm = "placement";

const std::string kDecision = "placementdecision/web-decision-1";
constexpr std::string_view kHandOver =
    "cluster.open-cluster-management.io/experimental-scheduling-disable";

class BesideOcm : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = start_with_berth_crds();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    auto ocm = OcmController::start(*server_, {.leader_election = true});
    ASSERT_TRUE(ocm.ok()) << ocm.error().message;
    ocm_ = std::make_unique<OcmController>(*std::move(ocm));
    checked_kubectl(*server_, {"wait", "--for=create", "lease/placement-lock", "-n", "default",
                               "--timeout=60s"});
  }

  void start_berth() {
    auto controllers = start_controllers(
        *server_, {"--controllers=clustersets,placement", "--placements=handed-over"});
    ASSERT_TRUE(controllers.ok()) << controllers.error().message;
    controllers_ = *std::move(controllers);
    apply_yaml(*server_, R"(
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: default}
spec: {clusterSet: default}
)");
  }

  void place(const std::string& name, const std::string& annotations) {
    apply_yaml(*server_, fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {{name: {}, namespace: default, annotations: {}}}
spec: {{}}
)",
                                     name, annotations));
  }
  void place_ours(const std::string& name) {
    place(name, fmt::format("{{{}: \"true\"}}", kHandOver));
  }
  void place_theirs(const std::string& name) { place(name, "{}"); }

  // Where the placement goes, once that is there.
  std::string decided(const std::string& placement, const std::string& expected) {
    return kubectl_until(*server_,
                         {"get", "placementdecision", placement + "-decision-1", "-o",
                          "jsonpath={.status.decisions[*].clusterName}"},
                         expected);
  }

  // Who has written what the object says now; of its managed fields, those that are named.
  std::set<std::string> writers(const std::string& object, const std::string& fields = "*") {
    const std::string told =
        checked_kubectl(*server_, {"get", object, "--show-managed-fields", "-o",
                                   "jsonpath={.metadata.managedFields[" + fields + "].manager}"});
    std::set<std::string> writers;
    for (const std::string_view writer : split(told, ' ')) writers.emplace(writer);
    return writers;
  }
  std::set<std::string> status_writers(const std::string& object) {
    return writers(object, R"(?(@.subresource=="status"))");
  }

  std::string versions(const std::string& placement) {
    return checked_kubectl(*server_, {"get", "placement/" + placement,
                                      "placementdecision/" + placement + "-decision-1", "-o",
                                      "jsonpath={.items[*].metadata.resourceVersion}"});
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<OcmController> ocm_;
  Child controllers_;
};

TEST_F(BesideOcm, BothDecideTheirOwnAndNobodyWritesTheOthers) {
  start_berth();
  place_ours("ours");
  place_theirs("theirs");
  // Each further cluster has both decide anew.
  make_cluster(*server_, "cluster1");
  EXPECT_EQ(decided("ours", "cluster1"), "cluster1");
  EXPECT_EQ(decided("theirs", "cluster1"), "cluster1");
  make_cluster(*server_, "cluster2");
  ASSERT_EQ(decided("ours", "cluster1 cluster2"), "cluster1 cluster2");
  ASSERT_EQ(decided("theirs", "cluster1 cluster2"), "cluster1 cluster2");
  for (const char* name : {"ours", "theirs"}) {
    // The last of what they have to say.
    checked_kubectl(*server_, {"wait", "--for=jsonpath={.status.numberOfSelectedClusters}=2",
                               std::string("placement/") + name, "--timeout=60s"});
  }
  EXPECT_THAT(writers("placementdecision/ours-decision-1"), ElementsAre(kBerth));
  EXPECT_THAT(status_writers("placement/ours"), ElementsAre(kBerth));
  EXPECT_THAT(writers("placementdecision/theirs-decision-1"), ElementsAre(kOcm));
  EXPECT_THAT(status_writers("placement/theirs"), ElementsAre(kOcm));

  // Whoever wrote the other's would be answered, and both would go on for ever. When each has
  // decided two more, one after the other, it has looked at everything since.
  const std::string before = versions("ours") + " " + versions("theirs");
  for (const char* name : {"a", "b"}) {
    place_ours(std::string("ours-") + name);
    place_theirs(std::string("theirs-") + name);
    EXPECT_EQ(decided(std::string("ours-") + name, "cluster1 cluster2"), "cluster1 cluster2");
    EXPECT_EQ(decided(std::string("theirs-") + name, "cluster1 cluster2"), "cluster1 cluster2");
  }
  EXPECT_EQ(versions("ours") + " " + versions("theirs"), before);
}

// Whoever sees the new number of clusters sees, too, whose placement it is now.
TEST_F(BesideOcm, APlacementIsHandedOverAndTakenBackWithItsDecisions) {
  start_berth();
  make_cluster(*server_, "cluster1");
  make_cluster(*server_, "cluster2");
  place_theirs("web");
  ASSERT_EQ(decided("web", "cluster1 cluster2"), "cluster1 cluster2");
  ASSERT_THAT(status_writers(kDecision), ElementsAre(kOcm));
  const auto change = [&](std::string_view handed_over, int clusters) {
    checked_kubectl(*server_, {"patch", "placement", "web", "--type=merge", "-p",
                               fmt::format(R"({{"metadata":{{"annotations":{{"{}":{}}}}},)"
                                           R"("spec":{{"numberOfClusters":{}}}}})",
                                           kHandOver, handed_over, clusters)});
  };
  change(R"("true")", 1);
  EXPECT_EQ(decided("web", "cluster1"), "cluster1");
  EXPECT_THAT(status_writers(kDecision), ElementsAre(kBerth));
  change("null", 2);
  EXPECT_EQ(decided("web", "cluster1 cluster2"), "cluster1 cluster2");
  EXPECT_THAT(status_writers(kDecision), ElementsAre(kOcm));
  EXPECT_TRUE(ocm_->running());
  EXPECT_TRUE(controllers_.running());
}

TEST_F(BesideOcm, WhoeverWouldDecideEverythingDoesNotStart) {
  const auto refused =
      berth(*server_, {"controllers", "--controllers=placement", "--health-probe-bind-address=0",
                       "--metrics-bind-address=0"});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message,
              HasSubstr(" holds the lease default/placement-lock: OCM already does the work of "
                        "\"placement\" on this hub."));
}

}  // namespace
}  // namespace berth::kube
