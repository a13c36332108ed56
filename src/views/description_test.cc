#include "views/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "json/yaml_read.h"

namespace berth::views {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

json::Value yaml(std::string_view text) { return json::read_one_yaml(text).value(); }

Company company() {
  return {.now = *parse_rfc3339("2026-01-02T03:04:05Z"),
          .clusters = {yaml("metadata: {name: oslo, labels: "
                            "{cluster.open-cluster-management.io/clusterset: default}}"),
                       yaml("metadata: {name: rome}")},
          .bindings = {yaml(
              "{metadata: {name: default, namespace: shop}, spec: {clusterSet: default}}")},
          .decisions = {yaml(R"(
metadata:
  name: web-decision-1
  namespace: shop
  labels: {cluster.open-cluster-management.io/placement: web}
status: {decisions: [{clusterName: oslo}, {clusterName: bern}]}
)")},
          .scores = {yaml(R"(
metadata: {name: room, namespace: oslo}
status: {validUntil: "2026-01-02T03:05:05Z", scores: [{name: cpu, value: 12}]}
)"),
                     yaml(R"(
metadata: {name: room, namespace: rome}
status: {scores: [{name: cpu, value: 77}]}
)")},
          .events = {yaml(R"(
involvedObject: {uid: u1}
type: Normal
reason: DecisionUpdate
message: later
lastTimestamp: "2026-01-02T03:04:00Z"
)"),
                     yaml(R"(
involvedObject: {uid: u1}
type: Normal
reason: DecisionCreate
message: earlier
eventTime: "2026-01-02T03:03:00Z"
)"),
                     yaml("{involvedObject: {uid: u2}, reason: Other}")}};
}

std::string describe(std::string_view view, std::string_view object) {
  return description_text(*find_view(view), yaml(object), company());
}

TEST(Description, OfAClusterHasItsScoresAndWhoChoseIt) {
  EXPECT_EQ(describe("cluster", R"(
metadata:
  name: oslo
  creationTimestamp: "2026-01-02T03:00:00Z"
  labels: {cluster.open-cluster-management.io/clusterset: default}
spec:
  hubAcceptsClient: true
  taints: [{key: repair, effect: NoSelect, timeAdded: "2026-01-02T03:03:05Z"}]
status:
  capacity: {cpu: "24", memory: 48Gi}
  allocatable: {cpu: "20"}
  version: {kubernetes: v1.35.4}
  conditions: [{type: Joined, status: "True", reason: Accepted, message: it did}]
)"),
            "Name:               oslo\n"
            "Labels:             cluster.open-cluster-management.io/clusterset=default\n"
            "Annotations:        <none>\n"
            "Age:                4m\n"
            "Accepted:           true\n"
            "Cluster set:        default\n"
            "Kubernetes:         v1.35.4\n"
            "Resources:\n"
            "  RESOURCE   CAPACITY   ALLOCATABLE\n"
            "  cpu        24         20\n"
            "  memory     48Gi\n"
            "Taints:\n"
            "  KEY      VALUE   EFFECT     AGE\n"
            "  repair           NoSelect   60s\n"
            "Claims:             <none>\n"
            "Scores:\n"
            "  NAME   SCORE   VALUE   VALID FOR\n"
            "  room   cpu     12      60s\n"
            "Chosen by:          shop/web\n"
            "Conditions:\n"
            "  TYPE     STATUS   REASON     SINCE   MESSAGE\n"
            "  Joined   True     Accepted           it did\n"
            "Events:             <none>\n");
}

TEST(Description, OfAClusterThatWaitsSaysWhoCanLetItIn) {
  EXPECT_THAT(describe("cluster", "metadata: {name: lima}"),
              HasSubstr("Accepted:           false (berth accept lima)\n"));
}

TEST(Description, OfASetHasItsClustersAndNamespaces) {
  const std::string text = describe("clusterset", "metadata: {name: default}");
  EXPECT_THAT(text, HasSubstr("Bound namespaces:   shop\n"));
  EXPECT_THAT(text, HasSubstr("Clusters:           oslo\n"));
  EXPECT_THAT(text, Not(HasSubstr("rome")));
}

TEST(Description, OfAPlacementHasItsChoiceItsOwnEventsInOrderAndTheNextQuestion) {
  const std::string text = describe("placement", R"(
metadata:
  name: web
  namespace: shop
  uid: u1
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", mine: "1"}
spec: {numberOfClusters: 2, clusterSets: [default, spare]}
)");
  EXPECT_THAT(text, HasSubstr("Annotations:        mine=1\n"));
  EXPECT_THAT(text, HasSubstr("Cluster sets:       default, spare\n"
                              "Wanted:             2\n"
                              "Chosen:             oslo\n"
                              "                    bern\n"));
  EXPECT_THAT(text, HasSubstr("Events:\n"
                              "  TYPE     REASON           AGE   MESSAGE\n"
                              "  Normal   DecisionCreate   65s   earlier\n"
                              "  Normal   DecisionUpdate   5s    later\n"));
  EXPECT_THAT(text, EndsWith("\nWhy these clusters: berth explain placement web -n shop\n"));
}

TEST(Description, OfAPlacementElsewhereHasNothingOfItsNamesake) {
  const std::string text = describe("placement", "metadata: {name: web, namespace: other}");
  EXPECT_THAT(text, HasSubstr("Cluster sets:       all that the namespace is bound to\n"
                              "Wanted:             all\n"
                              "Chosen:             <none>\n"));
}

TEST(Description, OfAScoreSaysHowLongItHolds) {
  EXPECT_THAT(
      describe("score", R"(
metadata: {name: room, namespace: oslo}
status: {validUntil: "2026-01-02T03:04:00Z", scores: [{name: cpu, value: 12}]}
)"),
      HasSubstr("Scores:\n  NAME   VALUE\n  cpu    12\nValid:              ended 5s ago\n"));
  EXPECT_THAT(describe("score", "metadata: {name: room, namespace: oslo}"),
              HasSubstr("Scores:             <none>\nValid:              always\n"));
}

TEST(Description, OfADecisionNamesThePlacement) {
  EXPECT_THAT(describe("decision", R"(
metadata: {name: d, namespace: shop, labels: {cluster.open-cluster-management.io/placement: web}}
status: {decisions: [{clusterName: oslo}]}
)"),
              HasSubstr("Placement:          web\nClusters:           oslo\n"));
}

}  // namespace
}  // namespace berth::views
