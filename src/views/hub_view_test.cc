#include "views/hub_view.h"

#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "json/yaml_read.h"

namespace berth::views {
namespace {

using namespace std::chrono_literals;

const Time kNow = *parse_rfc3339("2026-01-02T03:04:05Z");

std::string text(std::string_view view, std::string_view yaml, Width width = Width::Usual,
                 std::string_view ns = "shop") {
  Surroundings around{.now = kNow, .bound = {{"default", {"default", "shop"}}}};
  const std::vector<json::Value> objects = {json::read_one_yaml(yaml).value()};
  return view_text(*find_view(view), objects, around, ns, width);
}

TEST(HubView, AClusterShowsWhatTheWalkThroughShows) {
  EXPECT_EQ(text("clusters", R"(
metadata: {name: cluster1, labels: {cluster.open-cluster-management.io/clusterset: default}}
spec: {hubAcceptsClient: true}
status:
  capacity: {cpu: "24", memory: 49265496Ki}
  version: {kubernetes: v1.23.4}
  conditions: [{type: ManagedClusterConditionAvailable, status: "True"}]
)"),
            "NAME       ACCEPTED   AVAILABLE   CLUSTERSET   CPU   MEMORY       KUBERNETES VERSION\n"
            "cluster1   true       True        default      24    49265496Ki   v1.23.4\n");
}

TEST(HubView, AClusterThatOnlyAskedIsMostlyEmpty) {
  EXPECT_EQ(text("cluster", "metadata: {name: c}"),
            "NAME   ACCEPTED   AVAILABLE   CLUSTERSET   CPU   MEMORY   KUBERNETES VERSION\n"
            "c      false\n");
}

TEST(HubView, ASetShowsWhereItIsBound) {
  EXPECT_EQ(text("clustersets", R"(
metadata: {name: default}
status: {conditions: [{type: ClusterSetEmpty, message: 2 ManagedClusters selected}]}
)"),
            "NAME      BOUND NAMESPACES   STATUS\n"
            "default   default,shop       2 ManagedClusters selected\n");
}

TEST(HubView, APlacementWithoutANumberWantsAll) {
  EXPECT_EQ(text("placements", R"(
metadata: {name: web}
status:
  numberOfSelectedClusters: 3
  conditions: [{type: PlacementSatisfied, status: "True", reason: AllDecisionsScheduled}]
)"),
            "NAME   SATISFIED   WANTED   CHOSEN   REASON\n"
            "web    True        all      3        AllDecisionsScheduled\n");
}

TEST(HubView, ADecisionNamesItsClusters) {
  EXPECT_EQ(text("decisions", R"(
metadata: {name: web-decision-1, namespace: shop, labels: {cluster.open-cluster-management.io/placement: web}}
status: {decisions: [{clusterName: oslo}, {clusterName: rome}]}
)",
                 Width::Usual, ""),
            "NAMESPACE   NAME             PLACEMENT   CLUSTERS\n"
            "shop        web-decision-1   web         oslo,rome\n");
}

TEST(HubView, AScoreHasARowForEachValueAndSaysHowLongItHolds) {
  EXPECT_EQ(text("scores", R"(
metadata: {name: usage, creationTimestamp: "2026-01-02T03:00:00Z"}
status:
  validUntil: "2026-01-02T03:05:00Z"
  scores: [{name: cpuAvailable, value: 12}, {name: memAvailable, value: -4}]
)",
                 Width::Wide),
            "NAME    SCORE          VALUE   VALID FOR   AGE\n"
            "usage   cpuAvailable   12      55s         4m\n"
            "usage   memAvailable   -4      55s         4m\n");
}

TEST(HubView, AScoreThatNobodyRenewedIsExpired) {
  EXPECT_EQ(text("scores", R"(
metadata: {name: usage}
status: {validUntil: "2026-01-02T03:04:05Z"}
)"),
            "NAME    SCORE   VALUE   VALID FOR\n"
            "usage                   expired\n");
}

TEST(HubView, IsFoundByAllOfItsNames) {
  EXPECT_EQ(find_view("managedclusters"), find_view("cluster"));
  EXPECT_EQ(find_view("pods"), nullptr);
}

TEST(HubView, AgesAreShort) {
  EXPECT_EQ(age_text(119s), "119s");
  EXPECT_EQ(age_text(2min), "2m");
  EXPECT_EQ(age_text(3h), "3h");
  EXPECT_EQ(age_text(72h), "3d");
  EXPECT_EQ(age_text(-1s), "0s");
}

TEST(HubView, AHostShowsItsRoomUnderTheNameOfItsCluster) {
  EXPECT_EQ(text("hosting", R"(
metadata: {name: hosting, namespace: oslo}
spec: {cordoned: true}
status:
  load:
    {hosted: 12, foreign: 2, inFlight: 1, max: 80, threshold: 60, fresh: true,
     free: {cpu: "40", memory: 90G, pods: "300"}}
  observed: {time: "2026-01-02T03:03:35Z"}
)",
                 Width::Wide, ""),
            "CLUSTER   HOSTED   IN FLIGHT   MAX   FREE CPU   FREE MEMORY   FREE PODS   CORDONED   "
            "OBSERVED   FOREIGN   THRESHOLD   AGE\n"
            "oslo      12       1           80    40         90G           300         true       "
            "30s        2         60\n");
}

TEST(HubView, AHostSaysHowItsLoadIsKnown) {
  const auto observed = [](std::string_view status) {
    const std::string shown =
        text("hosting",
             "{metadata: {name: hosting, namespace: h}, status: " + std::string(status) + "}");
    return shown.substr(shown.find_last_of(' ') + 1);
  };
  EXPECT_EQ(observed("{load: {fresh: false}, observed: {time: '2026-01-02T03:04:00Z'}}"),
            "stale\n");
  EXPECT_EQ(observed("{load: {fresh: true}}"), "score\n") << "by score";
  EXPECT_EQ(observed("{}"), "false\n") << "nobody has reckoned with it yet";
}

TEST(HubView, ARequestShowsWhereItsClusterIs) {
  EXPECT_EQ(text("hostedclusterrequests", R"(
metadata: {name: web, creationTimestamp: "2026-01-02T03:00:00Z"}
spec: {priority: 3}
status:
  phase: Ready
  hostingCluster: oslo
  conditions: [{type: Available, status: "True"}]
)",
                 Width::Wide),
            "NAME   PHASE   CLUSTER   AVAILABLE   AGE   PRIORITY   MESSAGE\n"
            "web    Ready   oslo      True        4m    3\n");
}

}  // namespace
}  // namespace berth::views
