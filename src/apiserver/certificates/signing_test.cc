#include "apiserver/certificates/signing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/certificates/testing/csr_object.h"
#include "base/rfc3339.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;
using testing::csr_object;
using testing::CsrOptions;
using testing::with_condition;

constexpr Time kNow = Time::from_unix(1'800'000'000);

class Signing : public ::testing::Test {
 protected:
  std::optional<json::Value> sign(json::Value csr) {
    return sign_csr(std::move(csr), {.authority = ca_, .life_max = 24h}, kNow).value();
  }
  static pki::Certificate certificate_in(const json::Value& csr) {
    const std::string pem =
        decode_base64(csr.find_path({"status", "certificate"})->string_or_empty()).value();
    return pki::Certificate::from_pem(pem).value();
  }

  const pki::Authority ca_ = pki::Authority::make("ca", kNow, 1000h);
};

TEST_F(Signing, AnApprovedRequestGetsItsCertificate) {
  const auto csr = sign(with_condition(csr_object(), "Approved"));
  ASSERT_TRUE(csr.has_value());
  const pki::Certificate certificate = certificate_in(*csr);
  EXPECT_EQ(certificate.subject,
            (pki::Subject{.common_name = "agent", .organizations = {"agents"}}));
  EXPECT_EQ(certificate.not_before, kNow - 5min);
  EXPECT_EQ(certificate.not_after, kNow + 24h);
  EXPECT_EQ(certificate.purpose, pki::Purpose::Client);
  EXPECT_TRUE(pki::verify_issued_by(certificate, ca_.certificate, kNow).ok());
}

TEST_F(Signing, ARequestMayAskForLessTimeNotForMore) {
  struct Case {
    std::int64_t seconds;
    Duration life;
  };
  for (const Case& c : {Case{3600, 1h}, Case{10, 10min}, Case{86'401, 24h},
                        Case{std::numeric_limits<std::int64_t>::max(), 24h}}) {
    json::Value csr = with_condition(csr_object(), "Approved");
    csr["spec"]["expirationSeconds"] = c.seconds;
    EXPECT_EQ(certificate_in(*sign(csr)).not_after, kNow + c.life) << c.seconds;
  }
}

TEST_F(Signing, OthersRequestsAreLeftAlone) {
  EXPECT_EQ(sign(csr_object()), std::nullopt);
  EXPECT_EQ(sign(with_condition(csr_object({.signer = "example.com/x"}), "Approved")),
            std::nullopt);
  for (const char* type : {"Denied", "Failed"}) {
    EXPECT_EQ(sign(with_condition(with_condition(csr_object(), "Approved"), type)), std::nullopt);
  }
  EXPECT_EQ(sign(*sign(with_condition(csr_object(), "Approved"))), std::nullopt);
}

TEST_F(Signing, WhatThisSignerDoesNotGiveFails) {
  struct Case {
    CsrOptions options;
    std::string_view message;
  };
  const Case cases[] = {
      {{.usages = {"client auth", "server auth"}},
       "invalid usage for client certificate: server auth"},
      {{.usages = {"digital signature"}},
       "missing required usage for client certificate: client auth"},
      {{.subject = {.common_name = "x", .organizations = {"system:masters"}}},
       "certificates for system:masters are not signed"},
  };
  for (const Case& c : cases) {
    const auto csr = sign(with_condition(csr_object(c.options), "Approved"));
    ASSERT_TRUE(csr.has_value());
    const json::Value& failed = csr->find_path({"status", "conditions"})->elements()[1];
    EXPECT_EQ(failed.find("type")->string_or_empty(), "Failed");
    EXPECT_EQ(failed.find("reason")->string_or_empty(), "SignerValidationFailure");
    EXPECT_EQ(failed.find("message")->string_or_empty(), c.message);
    EXPECT_EQ(csr->find_path({"status", "certificate"}), nullptr);
  }
}

TEST_F(Signing, AnExpiredAuthorityIsAnErrorToTryAgain) {
  EXPECT_FALSE(sign_csr(with_condition(csr_object(), "Approved"),
                        {.authority = ca_, .life_max = 24h}, kNow + 2000h)
                   .ok());
}

TEST_F(Signing, RequestsAreRemovedWhenTheyHaveDoneTheirDuty) {
  const std::string now = format_seconds(kNow);
  json::Value pending = csr_object();
  pending["metadata"]["creationTimestamp"] = now;
  EXPECT_EQ(csr_removal_time(pending), kNow + 24h);
  EXPECT_EQ(csr_removal_time(with_condition(pending, "Denied", now)), kNow + 1h);
  EXPECT_EQ(csr_removal_time(with_condition(pending, "Failed", now)), kNow + 1h);
  EXPECT_EQ(csr_removal_time(with_condition(pending, "Approved", now)), kNow + 24h);
  EXPECT_EQ(csr_removal_time(*sign(with_condition(pending, "Approved", now))), kNow + 1h);
  json::Value brief = with_condition(pending, "Approved", now);
  brief["spec"]["expirationSeconds"] = 600;
  EXPECT_EQ(csr_removal_time(*sign(brief)), kNow + 10min);
  EXPECT_EQ(csr_removal_time(csr_object()), std::nullopt);
}

}  // namespace
}  // namespace berth::apiserver
