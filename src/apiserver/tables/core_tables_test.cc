#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

TEST(CoreTables, ShowTheSmallKinds) {
  struct Case {
    std::string_view group;
    std::string_view kind;
    std::string_view object;
    std::string_view row;
  };
  const Case cases[] = {
      {"", "Namespace", "status: {phase: Active}", "x | Active | 3h"},
      {"", "ConfigMap", "{data: {a: b}, binaryData: {c: d, e: f}}", "x | 3 | 3h"},
      {"", "Secret", "{type: Opaque, data: {a: b}}", "x | Opaque | 1 | 3h"},
      {"", "ServiceAccount", "{}", "x | 3h"},
      {"", "ServiceAccount", "metadata: {creationTimestamp: null}", "x | <unknown>"},
      {"coordination.k8s.io", "Lease", "spec: {holderIdentity: me}", "x | me | 3h"},
      {"coordination.k8s.io", "Lease", "{}", "x |  | 3h"},
      {"scheduling.k8s.io", "PriorityClass", "{value: 5, preemptionPolicy: Never}",
       "x | 5 | false | 3h | Never"},
      {"policy", "PodDisruptionBudget",
       "{spec: {minAvailable: 50%}, status: {disruptionsAllowed: 2}}", "x | 50% | N/A | 2 | 3h"},
      {"policy", "PodDisruptionBudget", "spec: {maxUnavailable: 1}", "x | N/A | 1 | 0 | 3h"},
      {"node.k8s.io", "RuntimeClass", "handler: runc", "x | runc | 3h"},
      {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration",
       "webhooks: [{name: a}, {name: b}]", "x | 2 | 3h"},
  };
  for (const Case& c : cases) EXPECT_EQ(row_of(c.group, c.kind, c.object), c.row) << c.object;
}

TEST(CoreTables, ShowQuotasSortedWithLimitsApart) {
  EXPECT_EQ(row_of("", "ResourceQuota", R"(
status:
  hard: {requests.cpu: "2", limits.memory: 2Gi, limits.cpu: 4000m, pods: "10"}
  used: {requests.cpu: 500m, pods: "3"})"),
            "x | pods: 3/10, requests.cpu: 500m/2 | limits.cpu: 0/4, limits.memory: 0/2Gi | 3h");
}

}  // namespace
}  // namespace berth::apiserver
