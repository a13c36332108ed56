#include <gtest/gtest.h>

#include "apiserver/tables/row_printer.h"
#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::object_of;
using testing::row_of;

TEST(PodTables, ShowAPod) {
  EXPECT_EQ(row_of("", "Pod", R"(
spec:
  nodeName: n1
  readinessGates: [{conditionType: a}, {conditionType: b}]
  containers: [{name: app}]
status:
  phase: Running
  nominatedNodeName: n2
  podIPs: [{ip: 10.0.0.7}, {ip: "fd00::7"}]
  conditions: [{type: a, status: "True"}, {type: b, status: "False"}]
  containerStatuses:
  - {ready: true, restartCount: 3, state: {running: {}},
     lastState: {terminated: {finishedAt: "2026-01-01T23:55:00Z"}}})"),
            "x | 1/1 | Running | 3 (5m ago) | 3h | 10.0.0.7 | n1 | n2 | 1/2");
}

TEST(PodTables, ShowAPodThatNothingIsKnownOf) {
  EXPECT_EQ(row_of("", "Pod", "{spec: {containers: [{}]}, status: {phase: Pending}}"),
            "x | 0/1 | Pending | 0 | 3h | <none> | <none> | <none> | <none>");
}

TEST(PodTables, SayOfTheRowWhetherThePodIsOver) {
  const auto printer = RowPrinter::builtin("", "Pod");
  const auto reason = [&](std::string_view yaml) {
    const json::Value conditions = printer.row(object_of(yaml), Time{}).conditions;
    return conditions.is_null()
               ? "none"
               : std::string(conditions.elements()[0].find("reason")->string_or_empty());
  };
  EXPECT_EQ(reason("status: {phase: Succeeded}"), "Succeeded");
  EXPECT_EQ(reason("status: {phase: Failed}"), "Failed");
  EXPECT_EQ(reason("status: {phase: Running}"), "none");
}

TEST(PodTables, ShowATemplate) {
  EXPECT_EQ(row_of("", "PodTemplate", R"(
template:
  metadata: {labels: {b: c, a: d}}
  spec: {containers: [{name: p, image: i}, {name: q, image: j}]})"),
            "x | p,q | i,j | a=d,b=c");
}

}  // namespace
}  // namespace berth::apiserver
