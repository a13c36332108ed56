#include <gtest/gtest.h>

#include "apiserver/defaults/testing/filled.h"

namespace berth::apiserver {
namespace {

using testing::filled;

TEST(WorkloadRules, APodAsksForWhatItIsLimitedTo) {
  constexpr std::string_view kPod =
      "spec: {initContainers: [], containers: [{resources: {limits: {cpu: 2000m, memory: 1Gi}, "
      "requests: {cpu: 1}}}]}";
  const std::string text = filled("", "Pod", kPod, "spec.containers");
  EXPECT_NE(text.find(R"("requests":{"cpu":"1","memory":"1Gi"})"), std::string::npos) << text;
  const std::string templated =
      filled("apps", "Deployment", "spec: {template: {" + std::string(kPod) + "}}",
             "spec.template.spec.containers");
  EXPECT_EQ(templated.find(R"("memory":"1Gi"},"requests":{"cpu":"1","memory")"), std::string::npos);
}

TEST(WorkloadRules, APodOnTheHostsNetworkTakesItsPorts) {
  constexpr std::string_view kPorts = "containers: [{ports: [{containerPort: 80}]}]";
  const auto ports = [&](std::string_view network) {
    return filled("", "Pod", "spec: {" + std::string(network) + std::string(kPorts) + "}",
                  "spec.containers");
  };
  EXPECT_NE(ports("hostNetwork: true, ").find(R"("hostPort":80)"), std::string::npos);
  EXPECT_EQ(ports("").find("hostPort"), std::string::npos);
}

TEST(WorkloadRules, DeploymentsRollUnlessTheyAreRecreated) {
  EXPECT_EQ(
      filled("apps", "Deployment", "spec: {}", "spec.strategy"),
      R"({"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}})");
  EXPECT_EQ(filled("apps", "Deployment", "spec: {strategy: {type: Recreate}}", "spec.strategy"),
            R"({"type":"Recreate"})");
  EXPECT_EQ(filled("apps", "Deployment", "spec: {replicas: 0}", "spec.replicas"), "0");
}

TEST(WorkloadRules, SetsHaveTheirOwnWaysToUpdate) {
  EXPECT_EQ(filled("apps", "DaemonSet", "spec: {}", "spec.updateStrategy"),
            R"({"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":1,"maxSurge":0}})");
  EXPECT_EQ(filled("apps", "DaemonSet", "{}", "status.numberReady"), "0");
  EXPECT_EQ(filled("apps", "StatefulSet", "spec: {}", "spec.updateStrategy"),
            R"({"rollingUpdate":{"partition":0},"type":"RollingUpdate"})");
  EXPECT_EQ(filled("apps", "StatefulSet", "spec: {updateStrategy: {type: RollingUpdate}}",
                   "spec.updateStrategy"),
            R"({"type":"RollingUpdate"})");
  EXPECT_EQ(filled("apps", "StatefulSet", "spec: {volumeClaimTemplates: [{}]}",
                   "spec.volumeClaimTemplates"),
            R"([{"spec":{"volumeMode":"Filesystem","resources":{}},"status":{"phase":"Pending"},)"
            R"("apiVersion":"v1","kind":"PersistentVolumeClaim"}])");
}

TEST(WorkloadRules, JobsDependOnWhatIsSaid) {
  struct Case {
    std::string_view spec;
    std::string_view path;
    std::string_view value;
  };
  const Case cases[] = {
      {"{}", "spec.completions", "1"},
      {"{parallelism: 2}", "spec.completions", "null"},
      {"{completions: 3}", "spec.parallelism", "1"},
      {"{}", "spec.backoffLimit", "6"},
      {"{backoffLimitPerIndex: 1}", "spec.backoffLimit", "2147483647"},
      {"{}", "spec.podReplacementPolicy", R"("TerminatingOrFailed")"},
      {"{podFailurePolicy: {}}", "spec.podReplacementPolicy", R"("Failed")"},
      {"{template: {metadata: {labels: {a: b}}}}", "metadata.labels", R"({"a":"b"})"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(filled("batch", "Job", "spec: " + std::string(c.spec), c.path), c.value) << c.spec;
  }
  EXPECT_EQ(filled("batch", "CronJob", "spec: {jobTemplate: {spec: {}}}", "spec.jobTemplate"),
            R"({"spec":{},"metadata":{}})");
}

TEST(WorkloadRules, AReplicationControllerFollowsItsTemplate) {
  constexpr std::string_view kYaml = "spec: {template: {metadata: {labels: {a: b}}}}";
  EXPECT_EQ(filled("", "ReplicationController", kYaml, "spec.selector"), R"({"a":"b"})");
  EXPECT_EQ(filled("", "ReplicationController", kYaml, "metadata.labels"), R"({"a":"b"})");
}

}  // namespace
}  // namespace berth::apiserver
