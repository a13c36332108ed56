#include <gtest/gtest.h>

#include "apiserver/defaults/testing/filled.h"

namespace berth::apiserver {
namespace {

using testing::filled;

std::string service(std::string_view spec, std::string_view path) {
  return filled("", "Service", "spec: " + std::string(spec), path);
}

TEST(NetworkRules, CompleteAService) {
  EXPECT_EQ(service("{ports: [{port: 80}, {port: 53, targetPort: dns, protocol: UDP}]}", "spec"),
            R"({"ports":[{"port":80,"protocol":"TCP","targetPort":80},)"
            R"({"port":53,"targetPort":"dns","protocol":"UDP"}],"sessionAffinity":"None",)"
            R"("type":"ClusterIP","ipFamilyPolicy":"SingleStack","ipFamilies":["IPv4"],)"
            R"("internalTrafficPolicy":"Cluster"})");
  EXPECT_EQ(service("{type: ExternalName}", "spec"),
            R"({"type":"ExternalName","sessionAffinity":"None"})");
}

TEST(NetworkRules, TheFamilyOfAServiceFollowsFromItsAddress) {
  EXPECT_EQ(service("{clusterIP: 10.0.0.9}", "spec.clusterIPs"), R"(["10.0.0.9"])");
  EXPECT_EQ(service("{clusterIP: 'fd00::9'}", "spec.ipFamilies"), R"(["IPv6"])");
  EXPECT_EQ(service("{clusterIP: None}", "spec.ipFamilies"), R"(["IPv4","IPv6"])");
  EXPECT_EQ(service("{clusterIP: None, selector: {a: b}}", "spec.ipFamilies"), R"(["IPv4"])");
}

TEST(NetworkRules, SessionsStickForThreeHours) {
  EXPECT_EQ(service("{sessionAffinity: ClientIP}", "spec.sessionAffinityConfig"),
            R"({"clientIP":{"timeoutSeconds":10800}})");
  EXPECT_EQ(service("{sessionAffinityConfig: {clientIP: {timeoutSeconds: 5}}}",
                    "spec.sessionAffinityConfig"),
            "null");
}

TEST(NetworkRules, TrafficFromOutsideGoesAnywhere) {
  for (const char* spec :
       {"{type: NodePort}", "{type: LoadBalancer}", "{externalIPs: [1.1.1.1]}"}) {
    EXPECT_EQ(service(spec, "spec.externalTrafficPolicy"), R"("Cluster")") << spec;
  }
  EXPECT_EQ(service("{}", "spec.externalTrafficPolicy"), "null");
  EXPECT_EQ(service("{type: LoadBalancer}", "spec.allocateLoadBalancerNodePorts"), "true");
}

TEST(NetworkRules, CompleteTheOthers) {
  EXPECT_EQ(filled("", "Endpoints", "subsets: [{ports: [{port: 1}]}]", "subsets"),
            R"([{"ports":[{"port":1,"protocol":"TCP"}]}])");
  EXPECT_EQ(filled("discovery.k8s.io", "EndpointSlice", "{ports: [{}], endpoints: [{}]}", "ports"),
            R"([{"protocol":"TCP","name":""}])");
  EXPECT_EQ(filled("networking.k8s.io", "NetworkPolicy", "{}", "spec"),
            R"({"podSelector":{},"policyTypes":["Ingress"]})");
  EXPECT_EQ(
      filled("networking.k8s.io", "NetworkPolicy", "spec: {egress: [{}]}", "spec.policyTypes"),
      R"(["Ingress","Egress"])");
  EXPECT_EQ(filled("networking.k8s.io", "IngressClass", "spec: {parameters: {kind: K}}",
                   "spec.parameters.scope"),
            R"("Cluster")");
  EXPECT_EQ(filled("networking.k8s.io", "Ingress", "{}", "status"), R"({"loadBalancer":{}})");
}

}  // namespace
}  // namespace berth::apiserver
