#include "fleet/registration/renewal_approval.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "json/print.h"
#include "pki/key.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

using json::Value;

struct Asked {
  std::string label = "cluster1";
  std::string user = "system:open-cluster-management:cluster1:a";
  std::vector<std::string> groups = {"system:open-cluster-management:cluster1",
                                     std::string(kManagedClustersGroup)};
  std::string requester = "system:open-cluster-management:cluster1:a";
  std::string signer = std::string(kClientSigner);
};

Value request(const Asked& asked) {
  static const pki::PrivateKey key = pki::PrivateKey::generate();
  const std::string pem =
      pki::make_request(key, {.common_name = asked.user, .organizations = asked.groups}).value();
  Value object = Value::object(
      {{"metadata", Value::object({{"name", "r"},
                                   {"labels", Value::object({{kClusterNameLabel, asked.label}})}})},
       {"spec", Value::object({{"request", encode_base64(pem)},
                               {"signerName", asked.signer},
                               {"username", asked.requester},
                               {"groups", Value::array({"g"})}})}});
  return object;
}

TEST(RenewalApproval, KnowsAnAgentThatAsksForItself) {
  EXPECT_TRUE(is_renewal(request({})));
  EXPECT_TRUE(is_renewal(request({.groups = {"system:open-cluster-management:cluster1"}})));
  EXPECT_EQ(requested_agent(request({})).value(), (AgentName{.cluster = "cluster1", .agent = "a"}));
}

TEST(RenewalApproval, IsByExactMatch) {
  const std::string ten = "system:open-cluster-management:cluster10";
  const Asked others[] = {
      {.label = "cluster10"},
      {.user = ten + ":a"},
      {.user = ten + ":a", .requester = ten + ":a"},
      {.groups = {ten}},
      {.groups = {ten, "system:open-cluster-management:cluster1"}},
      {.groups = {}},
      {.groups = {std::string(kManagedClustersGroup)}},
      {.groups = {"system:open-cluster-management:cluster1", "system:masters"}},
      {.label = "cluster10", .user = ten + ":a", .groups = {ten}},  // Asked by cluster1.
      {.requester = "system:open-cluster-management:cluster1:b"},
      {.requester = "system:open-cluster-management:cluster1"},
      {.requester = "system:serviceaccount:open-cluster-management:agent-registration-bootstrap"},
      {.user = "system:open-cluster-management:cluster1:a:b",
       .requester = "system:open-cluster-management:cluster1:a:b"},
      {.label = ""},
      {.signer = "kubernetes.io/kubelet-serving"},
  };
  for (const Asked& other : others) EXPECT_FALSE(is_renewal(request(other)));
}

TEST(RenewalApproval, SurvivesRubbish) {
  EXPECT_FALSE(is_renewal(Value()));
  Value rubbish = request({});
  rubbish["spec"]["request"] = "!";
  EXPECT_FALSE(is_renewal(rubbish));
  rubbish["spec"]["request"] = encode_base64("no pem");
  EXPECT_FALSE(is_renewal(rubbish));
}

TEST(RenewalApproval, AsksWhetherTheRequesterMayRenew) {
  EXPECT_EQ(json::print(renewal_review(request({}))),
            R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":)"
            R"({"user":"system:open-cluster-management:cluster1:a","resourceAttributes":)"
            R"({"group":"register.open-cluster-management.io","resource":"managedclusters",)"
            R"("subresource":"clientcertificates","verb":"renew"},"groups":["g"]}})");
  EXPECT_FALSE(is_allowed(Value()));
  EXPECT_TRUE(is_allowed(Value::object({{"status", Value::object({{"allowed", true}})}})));
}

TEST(RenewalApproval, IsWrittenDownInOcmsWords) {
  EXPECT_TRUE(is_undecided(request({})));
  const Value done = approved(request({}), kRenewalReason, kRenewalMessage, Time());
  EXPECT_FALSE(is_undecided(done));
  EXPECT_EQ(api::text_field(done.find_path({"status", "conditions"})->elements()[0], "reason"),
            "AutoApprovedByHubCSRApprovingController");
}

}  // namespace
}  // namespace berth::fleet
