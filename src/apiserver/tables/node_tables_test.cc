#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

TEST(NodeTables, ShowStateRolesAndAddresses) {
  EXPECT_EQ(row_of("", "Node", R"(
metadata:
  labels: {node-role.kubernetes.io/worker: "", kubernetes.io/role: control, other: label}
spec: {unschedulable: true}
status:
  conditions: [{type: MemoryPressure, status: "False"}, {type: Ready, status: "True"}]
  addresses:
  - {type: Hostname, address: x}
  - {type: InternalIP, address: 10.0.0.1}
  - {type: InternalIP, address: 10.0.0.2}
  nodeInfo: {kubeletVersion: v1.35.4, osImage: Debian, kernelVersion: "6.1"})"),
            "x | Ready,SchedulingDisabled | control,worker | 3h | v1.35.4 | 10.0.0.1 | <none> | "
            "Debian | 6.1 | <unknown>");
}

TEST(NodeTables, KnowNodesThatAreNotReadyOrSilent) {
  EXPECT_EQ(row_of("", "Node", "status: {conditions: [{type: Ready, status: Unknown}]}"),
            "x | NotReady | <none> | 3h |  | <none> | <none> | <unknown> | <unknown> | <unknown>");
  EXPECT_TRUE(row_of("", "Node", "{}").starts_with("x | Unknown | <none>"));
}

}  // namespace
}  // namespace berth::apiserver
