#include "fleet/registration/certificate_step.h"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "fleet/registration/renewal_approval.h"
#include "pki/authority.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;
using Kind = CertificateStep::Kind;

const Time kNow = Time::from_unix(1'800'000'000);
const AgentName kName{.cluster = "paris", .agent = "a"};

const pki::Authority& authority() {
  static const pki::Authority made = pki::Authority::make("ca", kNow - 1h, 24h * 365);
  return made;
}

class Certificates : public ::testing::Test {
 protected:
  CertificateStep step() {
    CertificateSituation situation{.name = kName, .now = now_};
    if (identity_) situation.identity = &*identity_;
    if (pending_) situation.pending = &*pending_;
    for (const Value& request : requests_) situation.requests.push_back(&request);
    return next_certificate_step(situation);
  }

  void make_key() { pending_ = pki::PrivateKey::generate(); }

  void ask(const std::string& name) {
    Value request = certificate_request(kName, *pending_, Duration::zero()).value();
    request["metadata"]["name"] = name;
    requests_.push_back(std::move(request));
  }

  std::string issue(const Value& request) {
    const std::string pem =
        decode_base64(api::text_field(api::field(request, "spec"), "request")).value();
    return pki::sign_request(authority(), pki::Request::from_pem(pem).value(), {"client auth"},
                             {.now = now_, .life = 100h})
        .value()
        .pem();
  }

  void take(const std::string& pem) {
    const HubSecret secret{{kTlsCertificate, pem}, {kTlsKey, pending_->pem()}};
    identity_ = read_identity(secret, kName, now_).value();
  }

  Time now_ = kNow;
  std::optional<HubIdentity> identity_;
  std::optional<pki::PrivateKey> pending_;
  std::vector<Value> requests_;
};

TEST_F(Certificates, ComeByMakingAKeyAskingWaitingAndTaking) {
  EXPECT_EQ(step().kind, Kind::MakeKey);
  make_key();
  EXPECT_EQ(step().kind, Kind::Ask);
  ask("paris-1");
  EXPECT_EQ(step().kind, Kind::Wait);
  EXPECT_EQ(step().why, "certificate request paris-1 waits for approval");
  requests_[0] = approved(requests_[0], "r", "m", now_);
  EXPECT_EQ(step().kind, Kind::Wait);
  const std::string pem = issue(requests_[0]);
  requests_[0]["status"]["certificate"] = encode_base64(pem);
  ASSERT_EQ(step().kind, Kind::Take);
  EXPECT_EQ(step().certificate_pem, pem);
  take(pem);
  EXPECT_EQ(step().kind, Kind::Rest) << "the key that is stored as pending is the certificate's";
}

TEST_F(Certificates, AreRenewedWhenAFifthOfTheirLifeIsLeft) {
  make_key();
  ask("paris-1");
  take(issue(requests_[0]));
  pending_.reset();
  const Time due = step().until.value();
  EXPECT_EQ(identity_->certificate.not_after - due,
            (identity_->certificate.not_after - identity_->certificate.not_before) / 5);
  now_ = due - 1s;
  EXPECT_EQ(step().kind, Kind::Rest);
  now_ = due;
  EXPECT_EQ(step().kind, Kind::MakeKey);
  make_key();
  EXPECT_EQ(step().kind, Kind::Ask) << "old requests are for other keys";
}

TEST_F(Certificates, AreAskedForAgainWhenTheHubForgotTheRequest) {
  make_key();
  ask("paris-1");
  requests_.clear();
  EXPECT_EQ(step().kind, Kind::Ask);
}

TEST_F(Certificates, AreNotAskedForAgainWhileADenialStands) {
  make_key();
  ask("paris-1");
  requests_[0]["status"]["conditions"] =
      Value::array({Value::object({{"type", "Denied"}, {"status", "True"}})});
  EXPECT_EQ(step().kind, Kind::Wait);
  EXPECT_EQ(step().why, "certificate request paris-1 was decided and not issued");
}

TEST_F(Certificates, ForAnotherKeyOrUserAreRefused) {
  make_key();
  ask("paris-1");
  const pki::Identity other =
      pki::issue_client(authority(), {.common_name = user_of(kName)}, {.now = now_, .life = 1h})
          .value();
  requests_[0]["status"]["certificate"] = encode_base64(other.certificate.pem());
  EXPECT_EQ(step().kind, Kind::MakeKey);
  requests_[0]["status"]["certificate"] = encode_base64("rubbish");
  EXPECT_EQ(step().kind, Kind::MakeKey);
}

TEST_F(Certificates, AreNotAskedForWhenTheHubHasTooManyRequests) {
  for (std::size_t i = 0; i < kRequestsMax; ++i) {
    make_key();
    ask(fmt::format("paris-{}", i));
  }
  EXPECT_EQ(step().kind, Kind::Wait) << "the last one is ours";
  make_key();
  EXPECT_EQ(step().kind, Kind::Halt);
}

TEST(CertificateRequest, IsOneThatTheHubApprovesForItsAgent) {
  const pki::PrivateKey key = pki::PrivateKey::generate();
  Value request = certificate_request(kName, key, 2h).value();
  EXPECT_EQ(requested_agent(request).value(), kName);
  request["spec"]["username"] = user_of(kName);
  EXPECT_TRUE(is_renewal(request));
  EXPECT_EQ(request.find_path({"metadata", "generateName"})->string_or_empty(), "paris-");
  EXPECT_EQ(request.find_path({"spec", "expirationSeconds"})->as_int(), 7200);
  EXPECT_EQ(request.find_path({"spec", "usages"})->size(), 3U);
}

TEST(RenewalShare, IsBetweenAFifthAndAQuarter) {
  EXPECT_DOUBLE_EQ(renewal_share(0), 0.2);
  EXPECT_DOUBLE_EQ(renewal_share(1), 0.25);
}

}  // namespace
}  // namespace berth::fleet
