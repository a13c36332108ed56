#include "pki/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pki/authority.h"
#include "pki/pem.h"

namespace berth::pki {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr Time kNow = Time::from_unix(1'800'000'000);

Authority authority() { return Authority::make("test-ca", kNow, 24h); }

TEST(Certificate, SaysWhatItWasIssuedFor) {
  const Authority ca = authority();
  const AlternativeNames names{.dns = {"hub"}, .addresses = {"10.0.0.1"}};
  const Identity hub = issue_serving(ca, "hub", names, {.now = kNow, .life = 1h}).value();
  const Certificate read = Certificate::from_pem(hub.certificate.pem()).value();
  EXPECT_EQ(read.subject, (Subject{.common_name = "hub"}));
  EXPECT_EQ(read.issuer.common_name, "test-ca");
  EXPECT_EQ(read.names, names);
  EXPECT_EQ(read.not_before, kNow - 5min);
  EXPECT_EQ(read.not_after, kNow + 1h);
  EXPECT_TRUE(read.is_for_servers());
  EXPECT_FALSE(read.is_for_clients());
  EXPECT_FALSE(read.is_authority);
  EXPECT_TRUE(ca.certificate.is_authority);
  EXPECT_EQ(read.public_key().value(), hub.key.public_key());
  EXPECT_EQ(read.serial.size(), 32U);
  EXPECT_TRUE(read.is_valid_at(kNow));
  EXPECT_FALSE(read.is_valid_at(kNow + 1h + 1s));
  EXPECT_FALSE(read.is_valid_at(kNow - 6min));
}

TEST(Certificate, KnowsItsIssuer) {
  const Authority ca = authority();
  const Authority other = authority();  // The same name with another key.
  const Certificate client =
      issue_client(ca, {.common_name = "u"}, {.now = kNow, .life = 1h}).value().certificate;
  EXPECT_TRUE(verify_issued_by(client, ca.certificate, kNow).ok());
  EXPECT_FALSE(verify_issued_by(client, other.certificate, kNow).ok());
  EXPECT_FALSE(verify_issued_by(client, client, kNow).ok());
  EXPECT_FALSE(verify_issued_by(client, ca.certificate, kNow + 2h).ok());
}

TEST(Certificate, AnyChangedByteBreaksTheSignatureOrTheForm) {
  const Authority ca = authority();
  const Certificate client =
      issue_client(ca, {.common_name = "u"}, {.now = kNow, .life = 1h}).value().certificate;
  for (std::size_t i = 0; i < client.der.size(); ++i) {
    std::string der = client.der;
    der[i] = static_cast<char>(der[i] ^ 1);
    const auto changed = Certificate::from_der(der);
    if (!changed.ok()) continue;
    // What lies behind the signed part may be written in two ways, never with another content.
    if (verify_issued_by(*changed, ca.certificate, kNow).ok()) {
      EXPECT_EQ(changed->subject, client.subject);
      EXPECT_EQ(changed->not_after, client.not_after);
    }
  }
}

TEST(Certificate, RenewalIsDueInTheLastFifthOfItsLife) {
  const Authority ca = authority();
  const Certificate client =
      issue_client(ca, {.common_name = "u"}, {.now = kNow, .life = 95min}).value().certificate;
  EXPECT_EQ(renewal_time(client), kNow + 75min);
  EXPECT_FALSE(renewal_due(client, kNow + 74min));
  EXPECT_TRUE(renewal_due(client, kNow + 75min));
}

TEST(Certificate, RefusesWhatIsNone) {
  const Certificate ca = authority().certificate;
  EXPECT_THAT(Certificate::from_der("nonsense").error().message, HasSubstr("cannot be read"));
  EXPECT_THAT(Certificate::from_der(ca.der + "x").error().message, HasSubstr("bytes follow"));
  EXPECT_THAT(Certificate::from_der(std::string(kCertificateSizeMax + 1, '0')).error().message,
              HasSubstr("more than"));
  EXPECT_FALSE(Certificate::from_pem(encode_pem("KEY", ca.der)).ok());
}

TEST(Certificate, BundlesHoldCertificatesOnly) {
  const std::string pem = authority().certificate.pem();
  EXPECT_EQ(parse_certificates(pem + pem).value().size(), 2U);
  EXPECT_EQ(parse_certificates("").error().message,
            "must contain at least one CERTIFICATE PEM block");
  EXPECT_EQ(parse_certificates(pem + encode_pem("X", "y")).error().message,
            "only CERTIFICATE PEM blocks are allowed, found \"X\"");
}

}  // namespace
}  // namespace berth::pki
