#include "fleet/addons/addon_approval.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "base/base64.h"
#include "json/parse.h"
#include "pki/key.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

const AddOnKey kKey{.cluster = "cluster1", .name = "score"};

std::vector<AddOnRegistration> registrations() {
  return {{std::string(kClientSigner),
           {.common_name = add_on_user(kKey), .organizations = add_on_groups(kKey)}}};
}

json::Value request(const pki::Subject& subject, std::string_view user) {
  const pki::PrivateKey key = pki::PrivateKey::generate();
  json::Value made = json::parse(R"({"metadata":{"name":"addon-cluster1-score-abc","labels":{
      "open-cluster-management.io/cluster-name":"cluster1",
      "open-cluster-management.io/addon-name":"score"}}})")
                         .value();
  made["spec"]["signerName"] = kClientSigner;
  made["spec"]["username"] = user;
  made["spec"]["request"] = encode_base64(pki::make_request(key, subject).value());
  return made;
}

json::Value right_request(std::string_view user = "system:open-cluster-management:cluster1:x7k2p") {
  return request(registrations()[0].subject, user);
}

bool is_approved(const json::Value& made) {
  return check_add_on_request(made, kKey, registrations()).ok();
}

TEST(AddOnRequests, AreApprovedForTheClustersOwnAgent) {
  EXPECT_EQ(add_on_of_request(right_request()), kKey);
  EXPECT_TRUE(is_approved(right_request()));
}

TEST(AddOnRequests, AreNotApprovedForAgentsOfOtherClusters) {
  for (const char* user :
       {"system:open-cluster-management:cluster10:x7k2p", "system:open-cluster-management:cluster1",
        "system:open-cluster-management:cluster1:", "system:open-cluster-management:cluster1:a:b",
        "admin", ""}) {
    EXPECT_FALSE(is_approved(right_request(user))) << user;
  }
}

TEST(AddOnRequests, AreNotApprovedForAnAddOnsAgentOnAClusterThatIsCalledCluster) {
  const AddOnKey key{.cluster = "cluster", .name = "score"};
  const std::vector<AddOnRegistration> asked = {
      {std::string(kClientSigner), {.common_name = add_on_user(key), .organizations = {}}}};
  EXPECT_FALSE(check_add_on_request(request(asked[0].subject, add_on_user(kKey)), key, asked).ok());
}

TEST(AddOnRequests, AreNotApprovedForAnotherSubject) {
  pki::Subject subject = registrations()[0].subject;
  subject.common_name += "x";
  EXPECT_FALSE(is_approved(request(subject, "system:open-cluster-management:cluster1:a")));
  subject = registrations()[0].subject;
  subject.organizations.emplace_back("system:masters");
  EXPECT_FALSE(is_approved(request(subject, "system:open-cluster-management:cluster1:a")));
  subject = registrations()[0].subject;
  subject.organizations.erase(subject.organizations.begin());
  EXPECT_FALSE(is_approved(request(subject, "system:open-cluster-management:cluster1:a")));
}

TEST(AddOnRequests, MayLeaveOutTheGroupThatEverybodyIsIn) {
  pki::Subject subject = registrations()[0].subject;
  subject.organizations.pop_back();
  EXPECT_TRUE(is_approved(request(subject, "system:open-cluster-management:cluster1:a")));
}

TEST(AddOnRequests, AreNotApprovedForASignerThatTheAddOnDoesNotUse) {
  json::Value made = right_request();
  made["spec"]["signerName"] = "kubernetes.io/kubelet-serving";
  EXPECT_FALSE(is_approved(made));
}

TEST(AddOnRequests, AreOnlyLookedAtOnce) {
  const json::Value approved = with_approval(right_request(), Time::from_unix(0));
  EXPECT_TRUE(api::is_condition_true(approved, "Approved"));
  EXPECT_FALSE(add_on_of_request(approved));
  json::Value other = right_request();
  other["metadata"]["name"] = "cluster1-abc";
  EXPECT_FALSE(add_on_of_request(other));
}

TEST(AddOnRequests, ThatCannotBeReadAreNotApproved) {
  json::Value made = right_request();
  made["spec"]["request"] = "!";
  EXPECT_FALSE(is_approved(made));
  made["spec"]["request"] = encode_base64("no certificate request");
  EXPECT_FALSE(is_approved(made));
}

}  // namespace
}  // namespace berth::fleet
