// The add-on manager on whole servers.

#include <string>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "fleet/addons/names.h"
#include "json/parse.h"
#include "kube/addon_hub.h"
#include "kube/addon_sample.h"
#include "kube/waiting.h"
#include "pki/key.h"
#include "pki/request.h"

namespace berth::kube {
namespace {

using json::Value;

TEST(AddOns, GoWhereNoPlacementWantsThemAndStayWhileAPlacementIsMissing) {
  auto hub = start_with(AddOnManager::Berth);
  const api::Gvr managed = add_on_resource("managedclusteraddons");
  ASSERT_TRUE(wait_until([&] { return hub->list(managed).size() == 3; }));
  const api::Gvr placements{"cluster.open-cluster-management.io", "v1beta1", "placements"};
  ASSERT_TRUE(hub->api().remove({.resource = placements, .ns = "default", .name = "all"}).ok());
  hub->decide("all", {{"cluster1", "cluster10"}});
  EXPECT_TRUE(wait_until([&] { return hub->list(managed).size() == 2; }));
  EXPECT_TRUE(hub->find(managed, "cluster2", "score").is_null());
  EXPECT_TRUE(hub->find(managed, "cluster1", "score").is_object());
}

// A request as the agent of `asker` makes it, for the add-on's identity on `cluster`.
Status ask(AddOnHub& hub, const std::string& asker, const std::string& cluster,
           const std::string& name) {
  const std::string prefix = "system:open-cluster-management:";
  auto kubeconfig =
      hub.server().kubeconfig_for({.name = prefix + asker + ":agent1", .group = prefix + asker});
  if (!kubeconfig.ok()) return failure(kubeconfig.error());
  BlockingApi agent(*kubeconfig);
  const fleet::AddOnKey key{.cluster = cluster, .name = "score"};
  Value request = Value::object(
      {{"apiVersion", "certificates.k8s.io/v1"}, {"kind", "CertificateSigningRequest"}});
  request["metadata"]["name"] = name;
  request["metadata"]["labels"]["open-cluster-management.io/cluster-name"] = cluster;
  request["metadata"]["labels"]["open-cluster-management.io/addon-name"] = "score";
  request["spec"]["signerName"] = "kubernetes.io/kube-apiserver-client";
  request["spec"]["usages"] = json::parse(R"(["digital signature","client auth"])").value();
  request["spec"]["request"] = encode_base64(
      pki::make_request(pki::PrivateKey::generate(), {.common_name = fleet::add_on_user(key),
                                                      .organizations = fleet::add_on_groups(key)})
          .value());
  auto created = agent.create(
      {.resource = {"certificates.k8s.io", "v1", "certificatesigningrequests"}}, request);
  if (!created.ok()) return failure(created.error());
  return {};
}

TEST(AddOns, GetCertificatesApprovedForTheirOwnClusterOnly) {
  auto hub = start_with(AddOnManager::Berth);
  hub->put(R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: asking}
rules: [{apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests], verbs: [create]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: asking}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: asking}
subjects:
  - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:open-cluster-management:cluster1"}
  - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:open-cluster-management:cluster10"}
)");
  ASSERT_TRUE(wait_until([&] {
    return hub->condition("cluster1", "score", "RegistrationApplied") ==
           "True SetPermissionApplied";
  }));
  // The wrong ones first: when the right one is approved, they have been looked at.
  ASSERT_TRUE(ask(*hub, "cluster10", "cluster1", "addon-cluster1-score-wrong").ok());
  ASSERT_TRUE(ask(*hub, "cluster1", "cluster10", "addon-cluster10-score-wrong").ok());
  const Status asked = ask(*hub, "cluster1", "cluster1", "addon-cluster1-score-right");
  ASSERT_TRUE(asked.ok()) << asked.error().message;
  const auto status_of = [&](const std::string& name) {
    return api::field(
        hub->find({"certificates.k8s.io", "v1", "certificatesigningrequests"}, "", name), "status");
  };
  EXPECT_TRUE(wait_until([&] {
    return api::field(status_of("addon-cluster1-score-right"), "conditions").size() > 0;
  }));
  EXPECT_EQ(api::field(status_of("addon-cluster1-score-wrong"), "conditions").size(), 0u);
  EXPECT_EQ(api::field(status_of("addon-cluster10-score-wrong"), "conditions").size(), 0u);
}

}  // namespace
}  // namespace berth::kube
