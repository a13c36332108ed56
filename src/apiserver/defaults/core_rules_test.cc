#include <gtest/gtest.h>

#include "apiserver/defaults/testing/filled.h"

namespace berth::apiserver {
namespace {

using testing::filled;

TEST(CoreRules, CompleteTheSmallKinds) {
  struct Case {
    std::string_view group;
    std::string_view kind;
    std::string_view object;
    std::string_view path;
    std::string_view value;
  };
  const Case cases[] = {
      {"", "Namespace", "metadata: {name: x}", "metadata.labels",
       R"({"kubernetes.io/metadata.name":"x"})"},
      {"", "Namespace", "{}", "status", R"({"phase":"Active"})"},
      {"", "Secret", "{}", "type", R"("Opaque")"},
      {"", "Node", "status: {capacity: {cpu: 4000m}}", "status.allocatable", R"({"cpu":"4"})"},
      {"", "Node", "spec: {podCIDR: 10.0.0.0/24}", "spec.podCIDRs", R"(["10.0.0.0/24"])"},
      {"", "ResourceQuota", "spec: {hard: {cpu: 1000m}}", "spec", R"({"hard":{"cpu":"1"}})"},
      {"", "Event", "{}", "source", "{}"},
      {"events.k8s.io", "Event", "{}", "regarding", "{}"},
      {"coordination.k8s.io", "Lease", "{}", "spec", "{}"},
      {"policy", "PodDisruptionBudget", "{}", "status.disruptionsAllowed", "0"},
      {"scheduling.k8s.io", "PriorityClass", "{}", "preemptionPolicy", R"("PreemptLowerPriority")"},
      {"rbac.authorization.k8s.io", "RoleBinding", "roleRef: {kind: Role}", "roleRef",
       R"({"kind":"Role","apiGroup":"rbac.authorization.k8s.io"})"},
      {"rbac.authorization.k8s.io", "ClusterRoleBinding",
       "subjects: [{kind: User}, {kind: ServiceAccount}]", "subjects",
       R"([{"kind":"User","apiGroup":"rbac.authorization.k8s.io"},{"kind":"ServiceAccount"}])"},
      {"admissionregistration.k8s.io", "MutatingWebhookConfiguration",
       "webhooks: [{clientConfig: {service: {}}, rules: [{}]}]", "webhooks",
       R"([{"clientConfig":{"service":{"port":443}},"rules":[{"scope":"*"}],)"
       R"("failurePolicy":"Fail","matchPolicy":"Equivalent","namespaceSelector":{},)"
       R"("objectSelector":{},"timeoutSeconds":10,"reinvocationPolicy":"Never"}])"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(filled(c.group, c.kind, c.object, c.path), c.value) << c.kind << ": " << c.object;
  }
}

TEST(CoreRules, LimitsOfContainersFollowFromEachOther) {
  EXPECT_EQ(filled("", "LimitRange",
                   "spec: {limits: [{type: Container, max: {cpu: 4}, min: {memory: 1Gi}}]}",
                   "spec.limits"),
            R"([{"type":"Container","max":{"cpu":"4"},"min":{"memory":"1Gi"},)"
            R"("default":{"cpu":"4"},"defaultRequest":{"cpu":"4","memory":"1Gi"}}])");
  EXPECT_EQ(filled("", "LimitRange", "spec: {limits: [{type: Pod, max: {cpu: 4}}]}", "spec.limits"),
            R"([{"type":"Pod","max":{"cpu":"4"}}])");
}

}  // namespace
}  // namespace berth::apiserver
