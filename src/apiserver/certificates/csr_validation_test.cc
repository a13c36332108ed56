#include "apiserver/certificates/csr_validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/certificates/testing/csr_object.h"
#include "json/yaml_read.h"
#include "pki/authority.h"

namespace berth::apiserver {
namespace {

using testing::csr_object;
using ::testing::HasSubstr;
using testing::with_condition;

std::vector<std::string> texts(const std::vector<Cause>& causes) {
  std::vector<std::string> list;
  for (const Cause& cause : causes) list.push_back(cause.field + ": " + cause.message);
  return list;
}

TEST(CsrValidation, AProperRequestHasNoProblems) {
  EXPECT_EQ(texts(validate_csr(csr_object())), std::vector<std::string>{});
  EXPECT_EQ(read_csr_request(csr_object()).value().subject.common_name, "agent");
}

TEST(CsrValidation, EachFieldIsJudgedInTheReferencesWords) {
  struct Case {
    std::string_view field;
    std::string_view value;  // YAML
    std::string_view text;
  };
  const Case cases[] = {
      {"request", "bm9uc2Vuc2U=",
       "spec.request: Invalid value: \"bm9uc2Vuc2U=\": PEM block type must be CERTIFICATE REQUEST"},
      {"usages", "[]", "spec.usages: Required value"},
      {"usages", "[client auth, flying]",
       "spec.usages[1]: Unsupported value: \"flying\": supported values: \"any\", \"cert sign\", "},
      {"usages", "[client auth, client auth]", "spec.usages[1]: Duplicate value: \"client auth\""},
      {"signerName", "''", "spec.signerName: Required value"},
      {"signerName", "a",
       "spec.signerName: Invalid value: \"a\": must be a fully qualified domain and path of the "
       "form "
       "'example.com/signer-name'"},
      {"signerName", "a/b",
       "spec.signerName: Invalid value: \"a\": should be a domain with at least two segments "
       "separated by dots"},
      {"signerName", "A.b/c", "spec.signerName: Invalid value: \"A.b\": validating label \"A\": "},
      {"signerName", "a.b/C", "spec.signerName: Invalid value: \"C\": validating label \"C\": "},
      {"signerName", "kubernetes.io/legacy-unknown",
       "the legacy signerName is not allowed via this API version"},
      {"expirationSeconds", "599",
       "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 "
       "seconds "
       "(10 minutes)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    json::Value csr = csr_object();
    csr["spec"][c.field] = json::read_one_yaml(c.value).value();
    const auto causes = texts(validate_csr(csr));
    ASSERT_EQ(causes.size(), 1U);
    EXPECT_THAT(causes[0], HasSubstr(c.text));
  }
}

TEST(CsrValidation, ConditionsAreUniqueTrueAndNotContradicting) {
  EXPECT_THAT(
      texts(validate_csr(with_condition(with_condition(csr_object(), "Approved"), "Denied"))),
      ::testing::ElementsAre(HasSubstr("mutually exclusive")));
  EXPECT_THAT(texts(validate_csr(with_condition(with_condition(csr_object(), "Failed"), "Failed"))),
              ::testing::ElementsAre("status.conditions[1].type: Duplicate value: \"Failed\""));
  json::Value csr = csr_object();
  csr["status"]["conditions"] =
      json::read_one_yaml("[{type: Approved, status: 'False'}, {status: 'True'}, {type: X}]")
          .value();
  EXPECT_THAT(
      texts(validate_csr(csr)),
      ::testing::ElementsAre(
          "status.conditions[0].status: Unsupported value: \"False\": supported values: \"True\"",
          "status.conditions[1].type: Required value",
          "status.conditions[2].status: Required value"));
}

TEST(CsrValidation, ACertificateIsPemAndNothingElse) {
  json::Value csr = csr_object();
  csr["status"]["certificate"] = encode_base64("x");
  EXPECT_THAT(
      texts(validate_csr(csr)),
      ::testing::ElementsAre("status.certificate: Invalid value: \"<certificate data>\": must "
                             "contain at least one CERTIFICATE PEM block"));
  const auto ca = pki::Authority::make("ca", Time::from_unix(0), std::chrono::hours(1));
  csr["status"]["certificate"] = encode_base64(ca.certificate.pem());
  EXPECT_TRUE(validate_csr(csr).empty());
}

TEST(CsrValidation, UpdatesKeepWhatWasDecided) {
  const json::Value pending = csr_object();
  const json::Value approved = with_condition(pending, "Approved");
  json::Value reworded = approved;
  reworded["status"]["conditions"].elements()[0]["reason"] = "Other";
  const auto update = [](CsrEndpoint endpoint, const json::Value& before,
                         const json::Value& after) {
    return texts(validate_csr_update(endpoint, before, after));
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(update(CsrEndpoint::Approval, pending, approved), ElementsAre());
  EXPECT_THAT(update(CsrEndpoint::Status, pending, approved),
              ElementsAre("status.conditions: Forbidden: updates may not add a condition of type "
                          "\"Approved\""));
  EXPECT_THAT(
      update(CsrEndpoint::Approval, approved, pending),
      ElementsAre("status.conditions: Forbidden: updates may not remove a condition of type "
                  "\"Approved\""));
  EXPECT_THAT(update(CsrEndpoint::Object, approved, reworded),
              ElementsAre(HasSubstr("may not modify a condition of type \"Approved\"")));
  EXPECT_THAT(update(CsrEndpoint::Status, approved, with_condition(approved, "Failed")),
              ElementsAre());

  const auto ca = pki::Authority::make("ca", Time::from_unix(0), std::chrono::hours(1));
  json::Value issued = approved;
  issued["status"]["certificate"] = encode_base64(ca.certificate.pem());
  EXPECT_THAT(update(CsrEndpoint::Status, approved, issued), ElementsAre());
  EXPECT_THAT(update(CsrEndpoint::Approval, approved, issued),
              ElementsAre(HasSubstr("updates may not set certificate content")));
  EXPECT_THAT(update(CsrEndpoint::Status, issued, approved),
              ElementsAre(HasSubstr("updates may not modify existing certificate content")));
}

}  // namespace
}  // namespace berth::apiserver
