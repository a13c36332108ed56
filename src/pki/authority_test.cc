#include "pki/authority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

#include "pki/openssl.h"
#include "pki/testing/keys.h"

namespace berth::pki {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr Time kNow = Time::from_unix(1'800'000'000);

X509Pointer x509_of(const Certificate& certificate) {
  const unsigned char* at = bytes_of(certificate.der);
  return X509Pointer(d2i_X509(nullptr, &at, static_cast<long>(certificate.der.size())));
}

struct Question {
  int purpose = X509_PURPOSE_SSL_CLIENT;
  Time now = kNow;
  const char* host = nullptr;
  const char* address = nullptr;
};

// OpenSSL's own verdict, with its strictest reading of the rules.
int verdict(const Certificate& leaf, const Certificate& root, const Question& question) {
  const std::unique_ptr<X509_STORE, Freeing<&X509_STORE_free>> store(X509_STORE_new());
  const std::unique_ptr<X509_STORE_CTX, Freeing<&X509_STORE_CTX_free>> context(
      X509_STORE_CTX_new());
  const X509Pointer certificate = x509_of(leaf);
  X509_STORE_add_cert(store.get(), x509_of(root).get());
  X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr);
  X509_VERIFY_PARAM* rules = X509_STORE_CTX_get0_param(context.get());
  X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_X509_STRICT);
  X509_VERIFY_PARAM_set_time(rules, question.now.unix_seconds());
  X509_VERIFY_PARAM_set_purpose(rules, question.purpose);
  if (question.host != nullptr) X509_VERIFY_PARAM_set1_host(rules, question.host, 0);
  if (question.address != nullptr) X509_VERIFY_PARAM_set1_ip_asc(rules, question.address);
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

TEST(Authority, OpensslAcceptsItsClientCertificates) {
  const Authority ca = Authority::make("ca", kNow, 24h);
  const Subject subject{.common_name = "u", .organizations = {"g1", "g2"}};
  const Identity client = issue_client(ca, subject, {.now = kNow, .life = 1h}).value();
  EXPECT_EQ(client.certificate.subject, subject);
  EXPECT_EQ(client.certificate.public_key().value(), client.key.public_key());
  EXPECT_EQ(verdict(client.certificate, ca.certificate, {}), X509_V_OK);
  EXPECT_EQ(verdict(client.certificate, ca.certificate, {.purpose = X509_PURPOSE_SSL_SERVER}),
            X509_V_ERR_INVALID_PURPOSE);
  EXPECT_EQ(verdict(client.certificate, ca.certificate, {.now = kNow + 2h}),
            X509_V_ERR_CERT_HAS_EXPIRED);
  EXPECT_EQ(verdict(client.certificate, Authority::make("ca", kNow, 24h).certificate, {}),
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY);
}

TEST(Authority, OpensslAcceptsItsServingCertificatesForTheirNamesOnly) {
  const Authority ca = Authority::make("ca", kNow, 24h);
  const Identity hub =
      issue_serving(ca, "hub", {.dns = {"hub.example.com"}, .addresses = {"127.0.0.1"}},
                    {.now = kNow, .life = 1h})
          .value();
  Question question{.purpose = X509_PURPOSE_SSL_SERVER, .host = "hub.example.com"};
  EXPECT_EQ(verdict(hub.certificate, ca.certificate, question), X509_V_OK);
  question.host = "other.example.com";
  EXPECT_EQ(verdict(hub.certificate, ca.certificate, question), X509_V_ERR_HOSTNAME_MISMATCH);
  question = {.purpose = X509_PURPOSE_SSL_SERVER, .address = "127.0.0.1"};
  EXPECT_EQ(verdict(hub.certificate, ca.certificate, question), X509_V_OK);
}

TEST(Authority, SignsARequestWithOurTermsNotItsOwn) {
  const Authority ca = Authority::make("ca", kNow, 24h);
  const Subject subject{.common_name = "agent", .organizations = {"agents"}};
  const PrivateKey key = PrivateKey::from_pem(testing::kRsaKey).value();
  const Request request =
      Request::from_pem(make_request(key, subject, {.dns = {"a"}}).value()).value();
  const Certificate certificate =
      sign_request(ca, request, {"digital signature", "key encipherment", "client auth"},
                   {.now = kNow, .life = 10min})
          .value();
  EXPECT_EQ(certificate.subject, subject);
  EXPECT_EQ(certificate.names.dns, std::vector<std::string>{"a"});
  EXPECT_EQ(certificate.not_before, kNow - 5min);
  EXPECT_EQ(certificate.not_after, kNow + 10min);
  EXPECT_EQ(certificate.purpose, Purpose::Client);
  EXPECT_EQ(certificate.public_key().value(), key.public_key());
  EXPECT_EQ(verdict(certificate, ca.certificate, {}), X509_V_OK);
  EXPECT_FALSE(sign_request(ca, request, {"flying"}, {.now = kNow, .life = 10min}).ok());
}

TEST(Authority, NothingOutlivesIt) {
  const Authority ca = Authority::make("ca", kNow, 1h);
  const Validity late{.now = kNow + 30min, .life = 24h};
  EXPECT_EQ(issue_client(ca, {.common_name = "u"}, late).value().certificate.not_after, kNow + 1h);
  EXPECT_THAT(
      issue_client(ca, {.common_name = "u"}, {.now = kNow + 2h, .life = 1h}).error().message,
      HasSubstr("expired"));
}

TEST(Authority, SurvivesPemAndRefusesHalvesThatDoNotFit) {
  const Authority ca = Authority::make("ca", kNow, 1h);
  const Authority again = Authority::from_pem(ca.certificate.pem(), ca.key.pem()).value();
  EXPECT_EQ(again.certificate.der, ca.certificate.der);
  EXPECT_THAT(
      Authority::from_pem(ca.certificate.pem(), PrivateKey::generate().pem()).error().message,
      HasSubstr("does not belong"));
  const Identity client = issue_client(ca, {.common_name = "u"}, {.now = kNow, .life = 1h}).value();
  EXPECT_THAT(Authority::from_pem(client.certificate.pem(), client.key.pem()).error().message,
              HasSubstr("not an authority"));
}

TEST(Authority, SerialNumbersDiffer) {
  const Authority ca = Authority::make("ca", kNow, 1h);
  const Validity validity{.now = kNow, .life = 1h};
  EXPECT_NE(issue_client(ca, {.common_name = "u"}, validity).value().certificate.serial,
            issue_client(ca, {.common_name = "u"}, validity).value().certificate.serial);
}

}  // namespace
}  // namespace berth::pki
