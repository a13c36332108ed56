#include "apiserver/auth/reviews.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/auth/testing/object_table.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

json::Value yaml(std::string_view text) { return json::read_one_yaml(text).value(); }

const Rbac& rbac() {
  static const Rbac compiled = [] {
    const json::Value list = yaml(R"(
- {kind: ClusterRole, metadata: {name: r},
   rules: [{verbs: [get], apiGroups: [""], resources: [pods]},
   {verbs: [get], nonResourceURLs: [/x]}]}
- {kind: ClusterRoleBinding, metadata: {name: b},
   roleRef: {kind: ClusterRole, name: r},
   subjects: [{kind: User, name: jane}, {kind: Group, name: g}]}
- {kind: ClusterRoleBinding, metadata: {name: c},
   roleRef: {kind: ClusterRole, name: gone},
   subjects: [{kind: User, name: jane}]}
)");
    return Rbac({list.elements().data(), list.elements().size()});
  }();
  return compiled;
}

json::Value status_of(const Attempt<json::Value>& answer) {
  return answer.has_value() ? *answer->find("status") : json::Value();
}

TEST(Reviews, SubjectAccessIsAnsweredWithItsReason) {
  const json::Value review = yaml(
      "{apiVersion: authorization.k8s.io/v1, kind: SubjectAccessReview, metadata: "
      "{creationTimestamp: null}, spec: {user: x, groups: [g], resourceAttributes: {verb: get, "
      "resource: pods, namespace: ns1}}}");
  const auto answer = review_subject_access(rbac(), review);
  EXPECT_EQ(
      status_of(answer),
      yaml("{allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding \"b\" of ClusterRole "
           "\"r\" to Group \"g\"'}"));
  EXPECT_EQ(*answer->find("spec"), *review.find("spec"));
  const auto denied = review_subject_access(
      rbac(), yaml("{spec: {user: jane, resourceAttributes: {verb: list, resource: pods}}}"));
  EXPECT_EQ(
      status_of(denied),
      yaml("{allowed: false, reason: 'RBAC: clusterrole.rbac.authorization.k8s.io \"gone\" not "
           "found'}"));
}

TEST(Reviews, OwnAccessIsTheRequesters) {
  const json::Value review = yaml("{spec: {nonResourceAttributes: {verb: get, path: /x}}}");
  EXPECT_EQ(status_of(review_own_access(rbac(), review, {.name = "nobody"})),
            yaml("{allowed: false}"));
  EXPECT_EQ(review_own_access(rbac(), review, {.name = "jane"})
                ->find_path({"status", "allowed"})
                ->as_bool(),
            true);
}

TEST(Reviews, WrongQuestionsAreInvalid) {
  struct Case {
    std::string_view review;
    std::string_view message;
  };
  const Case cases[] = {
      {"{spec: {user: u}}",
       "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or "
       "resourceAttributes must be specified"},
      {"{spec: {user: u, resourceAttributes: {}, nonResourceAttributes: {path: /a}}}",
       "cannot be specified in combination with resourceAttributes"},
      {"{spec: {resourceAttributes: {}}}",
       "spec.user: Invalid value: \"\": at least one of user or group must be specified"},
      {"{metadata: {name: x}, spec: {user: u, resourceAttributes: {}}}", "must be empty"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.review);
    const auto answer = review_subject_access(rbac(), yaml(c.review));
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().error.code, Code::Invalid);
    EXPECT_THAT(answer.error().error.message, HasSubstr(c.message));
  }
}

TEST(Reviews, LocalAccessStaysInItsNamespace) {
  const json::Value right = yaml(
      "{metadata: {namespace: ns1}, spec: {user: jane, resourceAttributes: {namespace: ns1, verb: "
      "get, "
      "resource: pods}}}");
  EXPECT_TRUE(review_local_access(rbac(), right, "ns1").has_value());
  EXPECT_THAT(review_local_access(rbac(), right, "m").error().error.message,
              HasSubstr("must match metadata.namespace"));
  EXPECT_THAT(review_local_access(
                  rbac(), yaml("{spec: {user: j, nonResourceAttributes: {path: /a}}}"), "ns1")
                  .error()
                  .error.message,
              HasSubstr("disallowed on this kind of request"));
}

TEST(Reviews, OwnRulesAreListed) {
  EXPECT_EQ(status_of(review_own_rules(rbac(), yaml("{spec: {namespace: ns1}}"), {.name = "jane"})),
            yaml("{resourceRules: [{verbs: [get], apiGroups: [''], resources: [pods]}], "
                 "nonResourceRules: [{verbs: [get], nonResourceURLs: [/x]}], incomplete: false, "
                 "evaluationError: 'clusterrole.rbac.authorization.k8s.io \"gone\" not found'}"));
  EXPECT_EQ(review_own_rules(rbac(), yaml("{}"), {.name = "jane"}).error().error.message,
            "no namespace on request");
}

TEST(Reviews, SelfTellsWhoAsks) {
  const json::Value answer = review_self(
      yaml("{kind: SelfSubjectReview}"),
      {.name = "jane", .uid = "u", .groups = {"g"}, .extra = {{"k", {"v"}}}}, Time::from_unix(0));
  EXPECT_EQ(answer, yaml("{kind: SelfSubjectReview, metadata: {creationTimestamp: "
                         "'1970-01-01T00:00:00Z'}, status: {userInfo: {username: jane, uid: u, "
                         "groups: [g], extra: {k: [v]}}}}"));
}

TEST(Reviews, TokensAreLookedAt) {
  const Authenticator authenticator(
      {.issuer = "iss",
       .audiences = {"hub"},
       .keys = {},
       .static_tokens = StaticTokens::parse("secret,carol,7\n").value()});
  const testing::ObjectTable objects;
  const Time now;
  EXPECT_EQ(status_of(review_token(authenticator, yaml("{spec: {token: secret}}"), objects, now)),
            yaml("{authenticated: true, user: {username: carol, uid: '7', groups: "
                 "['system:authenticated']}, audiences: [hub]}"));
  const json::Value wrong =
      status_of(review_token(authenticator, yaml("{spec: {token: x}}"), objects, now));
  EXPECT_EQ(wrong.find("authenticated"), nullptr);
  EXPECT_FALSE(wrong.find("error")->string_or_empty().empty());
  EXPECT_EQ(review_token(authenticator, yaml("{}"), objects, now).error().error.code,
            Code::BadRequest);
}

}  // namespace
}  // namespace berth::apiserver
