#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

struct Case {
  std::string_view object;
  std::string_view row;
};

TEST(NetworkTables, ShowServicesOfEveryType) {
  const Case cases[] = {
      {"spec: {type: ClusterIP, clusterIPs: [10.0.0.1, 'fd00::1'], ports: [{port: 80, protocol: "
       "TCP}, {port: 53, nodePort: 30053, protocol: UDP}], selector: {b: c, a: d}}",
       "x | ClusterIP | 10.0.0.1 | <none> | 80/TCP,53:30053/UDP | 3h | a=d,b=c"},
      {"spec: {type: NodePort, clusterIPs: [None], externalIPs: [1.1.1.1, 2.2.2.2]}",
       "x | NodePort | None | 1.1.1.1,2.2.2.2 | <none> | 3h | <none>"},
      {"spec: {type: LoadBalancer}",
       "x | LoadBalancer | <none> | <pending> | <none> | 3h | <none>"},
      {"{spec: {type: LoadBalancer, externalIPs: [9.9.9.9]}, status: {loadBalancer: {ingress: "
       "[{ip: 2.2.2.2}, {hostname: b.example}, {ip: 1.1.1.1}, {ip: 1.1.1.1}]}}}",
       "x | LoadBalancer | <none> | 1.1.1.1,2.2.2.2,b.example,9.9.9.9 | <none> | 3h | <none>"},
      {"spec: {type: ExternalName, externalName: db.example}",
       "x | ExternalName | <none> | db.example | <none> | 3h | <none>"},
      {"spec: {}", "x |  | <none> | <unknown> | <none> | 3h | <none>"},
  };
  for (const Case& c : cases) EXPECT_EQ(row_of("", "Service", c.object), c.row) << c.object;
}

TEST(NetworkTables, ShowThreeEndpointsAndCountTheRest) {
  const Case cases[] = {
      {"{}", "x | <none> | 3h"},
      {"subsets: [{addresses: [{ip: 1.1.1.1}]}]", "x | 1.1.1.1 | 3h"},
      {"subsets: [{addresses: [{ip: 1.1.1.1}, {ip: 'fd00::1'}], ports: [{port: 80}, {port: 81}]}]",
       "x | 1.1.1.1:80,[fd00::1]:80,1.1.1.1:81 + 1 more... | 3h"},
  };
  for (const Case& c : cases) EXPECT_EQ(row_of("", "Endpoints", c.object), c.row) << c.object;
}

TEST(NetworkTables, ShowSlices) {
  const Case cases[] = {
      {"addressType: IPv4", "x | IPv4 | <unset> | <unset> | 3h"},
      {"{addressType: IPv4, ports: [{port: 80}, {name: web}, {}], endpoints: [{addresses: [a, b]}, "
       "{addresses: [c, d, e]}]}",
       "x | IPv4 | 80,web,* | a,b,c + 2 more... | 3h"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(row_of("discovery.k8s.io", "EndpointSlice", c.object), c.row) << c.object;
  }
}

TEST(NetworkTables, ShowIngressesAndPolicies) {
  EXPECT_EQ(row_of("networking.k8s.io", "NetworkPolicy", "spec: {podSelector: {}}"),
            "x | <none> | 3h");
  EXPECT_EQ(row_of("networking.k8s.io", "Ingress", "spec: {rules: [{}]}"),
            "x | <none> | * |  | 80 | 3h");
  EXPECT_EQ(row_of("networking.k8s.io", "Ingress", R"(
spec:
  ingressClassName: nginx
  tls: [{}]
  rules: [{host: a}, {host: b}, {}, {host: c}, {host: d}]
status: {loadBalancer: {ingress: [{ip: 1.1.1.1}]}})"),
            "x | nginx | a,b,c + 2 more... | 1.1.1.1 | 80, 443 | 3h");
  EXPECT_EQ(row_of("networking.k8s.io", "IngressClass",
                   "spec: {controller: c/d, parameters: {apiGroup: g, kind: K, name: p}}"),
            "x | c/d | K.g/p | 3h");
}

}  // namespace
}  // namespace berth::apiserver
