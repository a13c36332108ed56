#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

TEST(EventTables, ShowTheOlderShape) {
  EXPECT_EQ(
      row_of("", "Event", R"(
involvedObject: {kind: Pod, name: web, fieldPath: spec.containers}
source: {component: kubelet, host: n1}
message: " pulled \n"
reason: Pulled
type: Normal
count: 4
firstTimestamp: "2026-01-01T23:00:00Z"
lastTimestamp: "2026-01-01T23:59:00Z")"),
      "60s | Normal | Pulled | pod/web | spec.containers | kubelet, n1 | pulled | 60m | 4 | x");
}

TEST(EventTables, ShowTheNewerShape) {
  EXPECT_EQ(row_of("events.k8s.io", "Event", R"(
regarding: {kind: Node}
reportingController: scheduler
reportingInstance: s-1
note: hi
reason: Scheduled
type: Normal
eventTime: "2026-01-01T23:00:00.000000Z"
deprecatedFirstTimestamp: null
deprecatedLastTimestamp: null)"),
            "60m | Normal | Scheduled | node |  | scheduler, s-1 | hi | 60m | 1 | x");
}

TEST(EventTables, ASeriesSaysHowOftenAndWhenLast) {
  EXPECT_EQ(row_of("", "Event", R"(
involvedObject: {kind: Pod, name: web}
eventTime: "2026-01-01T23:00:00.000000Z"
reportingComponent: c
series: {count: 9, lastObservedTime: "2026-01-01T23:59:50.000000Z"})"),
            "10s |  |  | pod/web |  | c |  | 60m | 9 | x");
}

TEST(EventTables, AnEventWithoutTimesIsOfUnknownAge) {
  EXPECT_EQ(row_of("", "Event", "involvedObject: {kind: Pod, name: a}"),
            "<unknown> |  |  | pod/a |  |  |  | <unknown> | 1 | x");
}

}  // namespace
}  // namespace berth::apiserver
