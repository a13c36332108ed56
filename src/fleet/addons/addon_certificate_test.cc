#include "fleet/addons/addon_certificate.h"

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"
#include "pki/authority.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using Kind = AddOnCertificateStep::Kind;

const Time kNow = Time::from_unix(1'800'000'000);
const AddOnKey kKey{.cluster = "c1", .name = "score"};

class GettingCredentials : public ::testing::Test {
 protected:
  AddOnCertificateStep step(Time now = kNow) {
    std::vector<const json::Value*> requests;
    for (const json::Value& request : requests_) requests.push_back(&request);
    AddOnCertificateStep next =
        next_add_on_certificate_step({.wanted = wanted_,
                                      .secret = secret_,
                                      .pending = pending_ ? &*pending_ : nullptr,
                                      .requests = requests,
                                      .now = now})
            .value();
    if (next.kind == Kind::MakeKey) pending_ = pki::PrivateKey::generate();
    if (next.kind == Kind::Ask) requests_.push_back(next.request);
    if (next.kind == Kind::Save) {
      secret_ = next.secret;
      pending_.reset();
    }
    return next;
  }

  // The hub signs the request, for a day.
  void sign(json::Value& request) {
    const auto pem =
        decode_base64(request.find_path({"spec", "request"})->string_or_empty()).value();
    const auto parsed = pki::Request::from_pem(pem).value();
    const auto issued =
        pki::sign_request(authority_, parsed, {"client auth"}, {.now = kNow, .life = 24h});
    request["status"]["certificate"] = encode_base64(issued.value().pem());
  }

  pki::Authority authority_ = pki::Authority::make("hub", kNow, 24h * 365);
  AddOnCredentials wanted_ =
      make_credentials(kKey,
                       {std::string(kClientSigner),
                        {.common_name = add_on_user(kKey), .organizations = add_on_groups(kKey)}},
                       {.entry = "hub", .server = "https://hub:6443", .authority_pem = "CA"});
  HubSecret secret_;
  std::optional<pki::PrivateKey> pending_;
  std::vector<json::Value> requests_;
};

TEST_F(GettingCredentials, GoesFromNothingToASecret) {
  EXPECT_EQ(step().kind, Kind::MakeKey);
  const AddOnCertificateStep asked = step();
  EXPECT_EQ(asked.kind, Kind::Ask);
  EXPECT_TRUE(api::Metadata(asked.request).name().starts_with("addon-c1-score-"));
  EXPECT_EQ(step().kind, Kind::Wait);
  EXPECT_TRUE(secret_.empty()) << "nothing to mount before there is something to show";
  sign(requests_[0]);
  EXPECT_EQ(step().kind, Kind::Save);
  EXPECT_EQ(secret_.at(kClusterNameKey), "c1");
  EXPECT_NE(secret_.at(kKubeconfig).find("https://hub:6443"), std::string::npos);
  EXPECT_EQ(step().kind, Kind::Rest);
}

TEST_F(GettingCredentials, RenewsInTimeAndKeepsTheOldOneMeanwhile) {
  for (int i = 0; i < 2; ++i) step();
  sign(requests_[0]);
  step();
  const AddOnCertificateStep resting = step();
  ASSERT_EQ(resting.kind, Kind::Rest);
  EXPECT_LT(*resting.until, kNow + 24h);
  const HubSecret before = secret_;
  EXPECT_EQ(step(*resting.until).kind, Kind::MakeKey);
  EXPECT_EQ(step(*resting.until).kind, Kind::Ask);
  EXPECT_EQ(secret_, before);
}

TEST_F(GettingCredentials, WritesAMovedHubIntoTheSecretWithoutANewCertificate) {
  for (int i = 0; i < 2; ++i) step();
  sign(requests_[0]);
  step();
  wanted_.companions[kKubeconfig] = "elsewhere";
  EXPECT_EQ(step().kind, Kind::Save);
  EXPECT_EQ(secret_.at(kKubeconfig), "elsewhere");
  EXPECT_EQ(step().kind, Kind::Rest);
}

TEST_F(GettingCredentials, AsksAnewForAnotherIdentity) {
  for (int i = 0; i < 2; ++i) step();
  sign(requests_[0]);
  step();
  wanted_.registration.subject.common_name = "other";
  EXPECT_EQ(step().kind, Kind::MakeKey);
}

TEST_F(GettingCredentials, StopsAskingWhenNobodyAnswers) {
  for (std::size_t i = 0; i < kAddOnRequestsMax; ++i) {
    pending_ = pki::PrivateKey::generate();
    EXPECT_EQ(step().kind, Kind::Ask);
  }
  pending_ = pki::PrivateKey::generate();
  EXPECT_EQ(step().kind, Kind::Wait);
}

}  // namespace
}  // namespace berth::fleet
