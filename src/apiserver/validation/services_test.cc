#include "apiserver/validation/services.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::fields_of;
using ::testing::IsEmpty;
using testing::yaml_object;

std::vector<Cause> found(std::string_view spec) {
  return validate_service(yaml_object("spec: {sessionAffinity: None, " + std::string(spec) + "}"),
                          nullptr);
}

TEST(Services, HavePorts) {
  EXPECT_THAT(found("type: ClusterIP, ports: [{port: 80, protocol: TCP, targetPort: web}]"),
              IsEmpty());
  EXPECT_THAT(found("type: ClusterIP, clusterIP: None"), IsEmpty());
  EXPECT_THAT(fields_of(found("type: ClusterIP")), ElementsAre("spec.ports"));
}

TEST(Services, SeveralPortsHaveNames) {
  EXPECT_THAT(fields_of(found("type: ClusterIP, ports: [{port: 80, protocol: TCP, targetPort: 80, "
                              "name: a}, {port: 80, protocol: TCP, targetPort: 80}, {port: 0, "
                              "protocol: TCP, targetPort: 1, name: a}]")),
              ElementsAre("spec.ports[1].name", "spec.ports[2].name", "spec.ports[2].port",
                          "spec.ports[1]"));
}

TEST(Services, TypesSayWhatElseMayBeThere) {
  EXPECT_THAT(fields_of(found("type: ExternalName")), ElementsAre("spec.externalName"));
  EXPECT_THAT(found("type: ExternalName, externalName: example.com."), IsEmpty());
  EXPECT_THAT(fields_of(found("type: ClusterIP, externalTrafficPolicy: Local, ports: [{port: 80, "
                              "protocol: TCP, targetPort: 80, nodePort: 30000}]")),
              ElementsAre("spec.ports[0].nodePort", "spec.externalTrafficPolicy"));
  EXPECT_THAT(fields_of(found("type: NodePort, clusterIP: None, externalTrafficPolicy: Cluster, "
                              "ports: [{port: 80, protocol: TCP, targetPort: 80}]")),
              ElementsAre("spec.clusterIPs[0]"));
  EXPECT_THAT(fields_of(found("type: ClusterIP, clusterIP: nowhere, ports: [{port: 80, protocol: "
                              "TCP, targetPort: 80}]")),
              ElementsAre("spec.clusterIPs[0]"));
}

}  // namespace
}  // namespace berth::apiserver
