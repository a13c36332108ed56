#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

constexpr std::string_view kWorkload = R"(
spec:
  replicas: 3
  selector: {matchLabels: {app: a}, matchExpressions: [{key: t, operator: In, values: [z, x]}]}
  template:
    spec: {nodeSelector: {disk: ssd}, containers: [{name: c, image: nginx}, {name: d, image: e}]}
status: {replicas: 2, readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1})";

TEST(WorkloadTables, ShowReplicas) {
  struct Case {
    std::string_view kind;
    std::string_view row;
  };
  const Case cases[] = {
      {"Deployment", "x | 1/3 | 2 | 1 | 3h | c,d | nginx,e | app=a,t in (x,z)"},
      {"ReplicaSet", "x | 3 | 2 | 1 | 3h | c,d | nginx,e | app=a,t in (x,z)"},
      {"StatefulSet", "x | 1/3 | 3h | c,d | nginx,e"},
  };
  for (const Case& c : cases) EXPECT_EQ(row_of("apps", c.kind, kWorkload), c.row) << c.kind;
}

TEST(WorkloadTables, ShowADaemonSetByItsNodes) {
  EXPECT_EQ(row_of("apps", "DaemonSet", R"(
spec: {selector: {}, template: {spec: {containers: [{name: c, image: i}]}}}
status: {desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3,
         updatedNumberScheduled: 2, numberAvailable: 1})"),
            "x | 5 | 4 | 3 | 2 | 1 | <none> | 3h | c | i | <none>");
}

TEST(WorkloadTables, HaveWordsForSelectorsThatAreNone) {
  const std::string_view wrong = "spec: {selector: {matchExpressions: [{key: a, operator: Huh}]}}";
  EXPECT_TRUE(row_of("apps", "Deployment", "{}").ends_with(" | "));
  EXPECT_TRUE(row_of("apps", "Deployment", wrong).ends_with(" | <invalid>"));
  EXPECT_TRUE(row_of("apps", "ReplicaSet", wrong).ends_with(" | <error>"));
  EXPECT_EQ(row_of("", "ReplicationController", "spec: {replicas: 1, selector: {b: c, a: d}}"),
            "x | 1 | 0 | 0 | 3h |  |  | a=d,b=c");
}

TEST(WorkloadTables, ShowWhoseRevisionItIs) {
  EXPECT_EQ(row_of("apps", "ControllerRevision", R"(
revision: 4
metadata:
  ownerReferences:
  - {apiVersion: v1, kind: Node, name: n}
  - {apiVersion: apps/v1, kind: StatefulSet, name: web, controller: true})"),
            "x | statefulset.apps/web | 4 | 3h");
  EXPECT_EQ(row_of("apps", "ControllerRevision", R"(
metadata: {ownerReferences: [{apiVersion: v1, kind: Node, name: one, controller: true}]})"),
            "x | node/one | 0 | 3h");
  EXPECT_EQ(row_of("apps", "ControllerRevision", "revision: 1"), "x | <none> | 1 | 3h");
}

}  // namespace
}  // namespace berth::apiserver
