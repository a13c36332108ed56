#include <gtest/gtest.h>

#include "apiserver/defaults/testing/filled.h"

namespace berth::apiserver {
namespace {

using testing::filled;

std::string container(std::string_view yaml) {
  const std::string pod = "template: {spec: {containers: [" + std::string(yaml) + "]}}";
  return filled("", "PodTemplate", pod, "template.spec.containers");
}

std::string volume(std::string_view yaml) {
  const std::string pod = "template: {spec: {volumes: [" + std::string(yaml) + "]}}";
  return filled("", "PodTemplate", pod, "template.spec.volumes");
}

TEST(PodRules, CompleteASpec) {
  EXPECT_EQ(filled("", "PodTemplate", "{}", "template"),
            R"({"metadata":{},"spec":{"dnsPolicy":"ClusterFirst","restartPolicy":"Always",)"
            R"("securityContext":{},"terminationGracePeriodSeconds":30,)"
            R"("schedulerName":"default-scheduler"}})");
}

TEST(PodRules, CompleteAContainer) {
  EXPECT_EQ(container("{name: c, image: nginx, ports: [{containerPort: 80}], resources: {limits: "
                      "{cpu: 1000m}}}"),
            R"([{"name":"c","image":"nginx","ports":[{"containerPort":80,"protocol":"TCP"}],)"
            R"("resources":{"limits":{"cpu":"1"}},"terminationMessagePath":"/dev/termination-log",)"
            R"("terminationMessagePolicy":"File","imagePullPolicy":"Always"}])");
}

TEST(PodRules, CompleteWhatAContainerRefersTo) {
  const std::string text = container(
      "{env: [{valueFrom: {fieldRef: {fieldPath: a}}}, {valueFrom: {resourceFieldRef: {}}}], "
      "livenessProbe: {httpGet: {port: 80}, timeoutSeconds: 0}, readinessProbe: {grpc: {port: 1}}, "
      "lifecycle: {preStop: {httpGet: {port: 1, path: /x}}}}");
  for (const char* part :
       {R"("fieldRef":{"fieldPath":"a","apiVersion":"v1"})",
        R"("resourceFieldRef":{"divisor":"0"})",
        R"("httpGet":{"port":80,"path":"/","scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,)"
        R"("successThreshold":1,"failureThreshold":3)",
        R"("grpc":{"port":1,"service":""})", R"("preStop":{"httpGet":{"port":1,"path":"/x",)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST(PodRules, CompleteVolumes) {
  struct Case {
    std::string_view volume;
    std::string_view filled;
  };
  const Case cases[] = {
      {"{name: v}", R"([{"name":"v","emptyDir":{}}])"},
      {"{name: v, secret: {}}", R"([{"name":"v","secret":{"defaultMode":420}}])"},
      {"{name: v, configMap: {defaultMode: 0}}", R"([{"name":"v","configMap":{"defaultMode":0}}])"},
      {"{name: v, hostPath: {path: /}}", R"([{"name":"v","hostPath":{"path":"/","type":""}}])"},
      {"{name: v, emptyDir: {sizeLimit: 1024Ki}}",
       R"([{"name":"v","emptyDir":{"sizeLimit":"1Mi"}}])"},
      {"{name: v, image: {reference: a}}",
       R"([{"name":"v","image":{"reference":"a","pullPolicy":"Always"}}])"},
      {"{name: v, projected: {sources: [{serviceAccountToken: {path: t}}]}}",
       R"([{"name":"v","projected":{"sources":[{"serviceAccountToken":{"path":"t",)"
       R"("expirationSeconds":3600}}],"defaultMode":420}}])"},
      {"{name: v, ephemeral: {volumeClaimTemplate: {}}}",
       R"([{"name":"v","ephemeral":{"volumeClaimTemplate":{"metadata":{},"spec":{"volumeMode":)"
       R"("Filesystem","resources":{}}}}}])"},
  };
  for (const Case& c : cases) EXPECT_EQ(volume(c.volume), c.filled);
}

}  // namespace
}  // namespace berth::apiserver
