#include "apiserver/certificates/csr_rules.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/certificates/testing/csr_object.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using testing::csr_object;
using ::testing::HasSubstr;
using testing::with_condition;

constexpr Time kNow = Time::from_unix(1'800'000'000);
constexpr std::string_view kNowText = "2027-01-15T08:00:00Z";

class CsrRules : public ::testing::Test {
 protected:
  Attempt<json::Value> update(CsrEndpoint endpoint, const json::Value& before, json::Value after) {
    const Authorizer authorizer = [this](const User&, const Attributes& a) {
      return a.group == kCsrGroup && a.resource == "signers" &&
             allowed_.contains(a.verb + " " + a.name);
    };
    return updated_csr({.endpoint = endpoint,
                        .before = before,
                        .user = user_,
                        .authorizer = authorizer,
                        .now = kNow},
                       std::move(after));
  }

  const User user_{.name = "jane"};
  std::set<std::string> allowed_;
};

TEST_F(CsrRules, ANewOneSaysWhoAskedWhateverItClaims) {
  json::Value object = with_condition(csr_object(), "Approved");
  object["spec"]["username"] = "root";
  object["spec"]["groups"] = json::read_one_yaml("['system:masters']").value();
  const json::Value stored =
      new_csr(object, {.name = "jane", .uid = "u", .groups = {"g"}, .extra = {{"k", {"v"}}}})
          .value();
  const json::Value& spec = *stored.find("spec");
  EXPECT_EQ(spec.find("username")->string_or_empty(), "jane");
  EXPECT_EQ(spec.find("uid")->string_or_empty(), "u");
  EXPECT_EQ(*spec.find("groups"), json::read_one_yaml("[g]").value());
  EXPECT_EQ(*spec.find("extra"), json::read_one_yaml("{k: [v]}").value());
  EXPECT_EQ(*stored.find("status"), json::Value::object());
}

TEST_F(CsrRules, NobodyBecomesAMasterByACertificate) {
  const json::Value object =
      csr_object({.subject = {.common_name = "x", .organizations = {"a", "system:masters"}}});
  EXPECT_EQ(new_csr(object, user_).error().error.message,
            "certificatesigningrequests.certificates.k8s.io \"c1\" is forbidden: use of "
            "kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed");
}

TEST_F(CsrRules, AnInvalidOneIsRefused) {
  const auto refused = new_csr(json::read_one_yaml("{metadata: {name: x}}").value(), user_);
  EXPECT_EQ(refused.error().error.code, Code::Invalid);
  EXPECT_THAT(refused.error().error.message,
              HasSubstr("CertificateSigningRequest.certificates.k8s.io \"x\" is invalid: ["));
}

TEST_F(CsrRules, ApprovingNeedsTheRightForTheSigner) {
  const json::Value before = csr_object();
  const json::Value after = with_condition(before, "Approved");
  EXPECT_EQ(
      update(CsrEndpoint::Approval, before, after).error().error.message,
      "certificatesigningrequests.certificates.k8s.io \"c1\" is forbidden: user not permitted to "
      "approve requests with signerName \"kubernetes.io/kube-apiserver-client\"");
  for (const char* right :
       {"approve kubernetes.io/kube-apiserver-client", "approve kubernetes.io/*"}) {
    allowed_ = {right};
    const json::Value stored = update(CsrEndpoint::Approval, before, after).value();
    const json::Value& condition = stored.find_path({"status", "conditions"})->elements()[0];
    EXPECT_EQ(condition.find("lastUpdateTime")->string_or_empty(), kNowText);
    EXPECT_EQ(condition.find("lastTransitionTime")->string_or_empty(), kNowText);
  }
  allowed_ = {"sign kubernetes.io/*"};
  EXPECT_FALSE(update(CsrEndpoint::Approval, before, after).has_value());
}

TEST_F(CsrRules, TheSpecNeverChanges) {
  allowed_ = {"approve kubernetes.io/*"};
  const json::Value before = csr_object();
  json::Value after = with_condition(csr_object({.signer = "example.com/other"}), "Approved");
  after["status"]["certificate"] = "eA==";
  const json::Value stored = update(CsrEndpoint::Approval, before, after).value();
  EXPECT_EQ(*stored.find("spec"), *before.find("spec"));
  EXPECT_EQ(stored.find_path({"status", "certificate"}), nullptr);
  const json::Value plain = update(CsrEndpoint::Object, before, after).value();
  EXPECT_EQ(*plain.find("status"), *before.find("status"));
}

TEST_F(CsrRules, SigningNeedsItsOwnRightAndKeepsTheApproval) {
  const json::Value before = with_condition(csr_object(), "Approved", "2026-01-01T00:00:00Z");
  json::Value after = before;
  after["status"]["conditions"].elements()[0]["reason"] = "Reworded";
  after["status"]["conditions"].push_back(testing::condition("Failed"));
  EXPECT_THAT(update(CsrEndpoint::Status, before, after).error().error.message,
              HasSubstr("user not permitted to sign requests with signerName"));
  allowed_ = {"sign kubernetes.io/kube-apiserver-client"};
  const json::Value stored = update(CsrEndpoint::Status, before, after).value();
  const auto conditions = stored.find_path({"status", "conditions"})->elements();
  EXPECT_EQ(conditions[0].find("reason")->string_or_empty(), "Test");
  EXPECT_EQ(conditions[1].find("lastUpdateTime")->string_or_empty(), kNowText);
}

}  // namespace
}  // namespace berth::apiserver
