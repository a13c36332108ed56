#include "apiserver/auth/escalation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

json::Value yaml(std::string_view text) { return json::read_one_yaml(text).value(); }

class EscalationTest : public ::testing::Test {
 protected:
  static Rbac rbac() {
    const json::Value list = yaml(R"(
- {kind: ClusterRole, metadata: {name: pods},
   rules: [{verbs: [get, list], apiGroups: [""], resources: [pods]}]}
- {kind: ClusterRole, metadata: {name: secrets},
   rules: [{verbs: [get], apiGroups: [""], resources: [secrets]}]}
- {kind: ClusterRole, metadata: {name: escalate},
   rules: [{verbs: [escalate], apiGroups: [rbac.authorization.k8s.io], resources: [roles],
   resourceNames: [mine]}]}
- {kind: ClusterRole, metadata: {name: bind},
   rules: [{verbs: [bind], apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles],
   resourceNames: [secrets]}]}
- {kind: ClusterRole, metadata: {name: all},
   rules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"]},
   {verbs: ["*"], nonResourceURLs: ["*"]}]}
- {kind: ClusterRoleBinding, metadata: {name: p},
   roleRef: {kind: ClusterRole, name: pods},
   subjects: [{kind: User, name: jane}]}
- {kind: ClusterRoleBinding, metadata: {name: e},
   roleRef: {kind: ClusterRole, name: escalate},
   subjects: [{kind: User, name: eve}]}
- {kind: ClusterRoleBinding, metadata: {name: b},
   roleRef: {kind: ClusterRole, name: bind},
   subjects: [{kind: User, name: bob}]}
- {kind: ClusterRoleBinding, metadata: {name: a},
   roleRef: {kind: ClusterRole, name: all},
   subjects: [{kind: User, name: admin}]}
)");
    return Rbac({list.elements().data(), list.elements().size()});
  }

  Attempt<void> write(const User& user, std::string resource, std::string_view after) {
    const json::Value object = yaml(after);
    const bool is_namespaced = !resource.starts_with("cluster");
    return check_escalation(rbac_, {.user = user,
                                    .resource = resource,
                                    .ns = is_namespaced ? "ns" : "",
                                    .before = nullptr,
                                    .after = object});
  }

  const Rbac rbac_ = rbac();
  const User jane_{.name = "jane", .groups = {"a", "b"}};
};

constexpr std::string_view kSecretReader =
    "{metadata: {name: r}, rules: [{verbs: [get, delete], apiGroups: [''], resources: [secrets]}]}";

TEST_F(EscalationTest, ARoleMayHoldWhatItsWriterHolds) {
  EXPECT_TRUE(write(jane_, "roles",
                    "{metadata: {name: r}, rules: [{verbs: [get], apiGroups: [''], "
                    "resources: [pods]}]}")
                  .has_value());
  EXPECT_TRUE(write(jane_, "configmaps", kSecretReader).has_value());
  EXPECT_TRUE(
      write({.name = "x", .groups = {"system:masters"}}, "roles", kSecretReader).has_value());
  EXPECT_TRUE(write({.name = "admin"}, "clusterroles", kSecretReader).has_value());
}

TEST_F(EscalationTest, ARefusalListsWhatIsMissing) {
  const auto refused = write(jane_, "clusterroles", kSecretReader);
  EXPECT_EQ(refused.error().error.message,
            "clusterroles.rbac.authorization.k8s.io \"r\" is forbidden: user \"jane\" "
            "(groups=[\"a\" \"b\"]) is attempting to grant RBAC permissions not currently held:\n"
            "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\" \"delete\"]}");
  EXPECT_EQ(refused.error().details.kind, "clusterroles");
}

TEST_F(EscalationTest, TheVerbEscalateIsEnoughForItsRole) {
  const User eve{.name = "eve"};
  const json::Value before = yaml("{metadata: {name: mine}}");
  const json::Value after = yaml(kSecretReader);
  RbacWrite update{.user = eve,
                   .resource = "roles",
                   .ns = "ns",
                   .name = "mine",
                   .before = &before,
                   .after = after};
  EXPECT_TRUE(check_escalation(rbac_, update).has_value());
  update.name = "other";
  EXPECT_FALSE(check_escalation(rbac_, update).has_value());
}

TEST_F(EscalationTest, GatheringRolesNeedsEverything) {
  const std::string_view role =
      "{metadata: {name: r}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}}";
  EXPECT_THAT(write(jane_, "clusterroles", role).error().error.message,
              HasSubstr("must have cluster-admin privileges to use the aggregationRule"));
  EXPECT_TRUE(write({.name = "admin"}, "clusterroles", role).has_value());
}

TEST_F(EscalationTest, ABindingGivesWhatItsWriterHoldsOrMayBind) {
  const std::string_view pods = "{metadata: {name: b}, roleRef: {kind: ClusterRole, name: pods}}";
  const std::string_view secrets =
      "{metadata: {name: b}, roleRef: {kind: ClusterRole, name: secrets}}";
  EXPECT_TRUE(write(jane_, "rolebindings", pods).has_value());
  EXPECT_THAT(
      write(jane_, "rolebindings", secrets).error().error.message,
      HasSubstr("rolebindings.rbac.authorization.k8s.io \"b\" is forbidden: user \"jane\""));
  EXPECT_TRUE(write({.name = "bob"}, "clusterrolebindings", secrets).has_value());
  EXPECT_FALSE(write({.name = "bob"}, "clusterrolebindings", pods).has_value());
  const auto missing =
      write(jane_, "rolebindings", "{metadata: {name: b}, roleRef: {kind: Role, name: none}}");
  EXPECT_EQ(missing.error().error.message,
            "rolebindings.rbac.authorization.k8s.io \"none\" not found");
}

TEST_F(EscalationTest, GarbageCollectionIsNoEscalation) {
  const json::Value before = yaml(
      "{metadata: {name: r, finalizers: [x]}, rules: [{verbs: [get], apiGroups: [''], "
      "resources: [secrets]}]}");
  json::Value after = before;
  after.find("metadata")->erase("finalizers");
  RbacWrite update{.user = jane_, .resource = "roles", .before = &before, .after = after};
  EXPECT_TRUE(check_escalation(rbac_, update).has_value());
  after["metadata"]["labels"] = yaml("{a: b}");
  EXPECT_FALSE(check_escalation(rbac_, update).has_value());
}

}  // namespace
}  // namespace berth::apiserver
