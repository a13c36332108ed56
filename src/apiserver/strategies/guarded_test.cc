#include "apiserver/strategies/guarded.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

constexpr const char* kClusterDefinition = R"({
  "metadata": {"name": "managedclusters.cluster.open-cluster-management.io"},
  "spec": {"group": "cluster.open-cluster-management.io", "scope": "Cluster",
    "names": {"plural": "managedclusters", "singular": "managedcluster", "kind": "ManagedCluster"},
    "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
      "schema": {"openAPIV3Schema": {"type": "object",
        "properties": {"spec": {"type": "object", "properties": {
          "hubAcceptsClient": {"type": "boolean"}}}}}}}]}})";
const std::string kClusters = "/apis/cluster.open-cluster-management.io/v1/managedclusters";

TEST(Guarded, AcceptingAClusterNeedsItsOwnRight) {
  TestHub hub;
  hub.post(std::string(testing::kDefinitions), kClusterDefinition);
  const auto send = [&hub](http::Method method, std::string target, std::string body) {
    return hub.send({.method = method,
                     .target = std::move(target),
                     .body = std::move(body),
                     .headers = {{"content-type", "application/merge-patch+json"}},
                     .user = testing::plain_user("agent")});
  };
  EXPECT_EQ(
      hub.post(kClusters, R"({"metadata":{"name":"c"},"spec":{"hubAcceptsClient":false}})").status,
      201);
  const HubAnswer refused =
      send(http::Method::Patch, kClusters + "/c", R"({"spec":{"hubAcceptsClient":true}})");
  EXPECT_EQ(refused.status, 403) << refused.body;
  EXPECT_EQ(hub.merge(kClusters + "/c", R"({"spec":{"hubAcceptsClient":true}})").status, 200);
  // The agent reports all the same.
  EXPECT_EQ(send(http::Method::Patch, kClusters + "/c/status", R"({"status":{}})").status, 200);
}

TEST(Guarded, TheGuardedKindsAreThoseOfTheFleet) {
  const auto all = guarded_strategies();
  EXPECT_TRUE(all.contains("managedclusters.cluster.open-cluster-management.io"));
  EXPECT_TRUE(all.contains("managedclustersetbindings.cluster.open-cluster-management.io"));
  EXPECT_EQ(all.size(), 2);
}

}  // namespace
}  // namespace berth::apiserver
