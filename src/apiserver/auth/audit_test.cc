#include "apiserver/auth/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

AuditFacts facts() {
  return {
      .id = "id-1",
      .uri = "/api/v1/namespaces/n/secrets/s?pretty=true",
      .user = {.name = "jane", .groups = {"devs"}},
      .attributes = {.verb = "get", .version = "v1", .resource = "secrets", .ns = "n", .name = "s"},
      .source_address = "10.0.0.1",
      .user_agent = "kubectl",
      .status = 403,
      .reason = "Forbidden",
      .allowed = false,
      .received = Time::from_unix(1'800'000'000, 5000),
      .finished = Time::from_unix(1'800'000'001)};
}

TEST(Audit, SaysWhoDidWhatAndWhatBecameOfIt) {
  EXPECT_EQ(json::parse(audit_line(facts())).value(), json::parse(R"({
    "kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id-1",
    "stage":"ResponseComplete","requestURI":"/api/v1/namespaces/n/secrets/s?pretty=true","verb":"get",
    "user":{"username":"jane","groups":["devs"]},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl",
    "objectRef":{"resource":"secrets","namespace":"n","name":"s","apiVersion":"v1"},
    "responseStatus":{"metadata":{},"status":"Failure","reason":"Forbidden","code":403},
    "requestReceivedTimestamp":"2027-01-15T08:00:00.000005Z","stageTimestamp":"2027-01-15T08:00:01.000000Z",
    "annotations":{"authorization.k8s.io/decision":"forbid","authorization.k8s.io/reason":""}})")
                                                          .value());
}

TEST(Audit, IsOneLineWhateverTheClientSends) {
  AuditFacts odd = facts();
  odd.user_agent = "a\nb\"c" + std::string(5000, 'x');
  odd.uri = "/a?b=\"\n";
  const std::string line = audit_line(odd);
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  EXPECT_TRUE(json::parse(line).ok());
  EXPECT_LT(line.size(), 3000U);
}

TEST(Audit, HidesWhatLooksLikeASecret) {
  AuditFacts odd = facts();
  odd.uri = "/a?access_token=abc&limit=5&Password=def&x";
  const std::string line = audit_line(odd);
  EXPECT_THAT(line, HasSubstr("/a?access_token=...&limit=5&Password=...&x"));
}

TEST(Audit, TellsForWhomSomebodyActed) {
  AuditFacts odd = facts();
  odd.impersonated = User{.name = "boss"};
  odd.status = 0;
  const std::string line = audit_line(odd);
  EXPECT_THAT(line, HasSubstr(R"("impersonatedUser":{"username":"boss"})"));
  EXPECT_THAT(line, Not(HasSubstr("responseStatus")));
}

}  // namespace
}  // namespace berth::apiserver
