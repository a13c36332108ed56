#include "apiserver/validation/role_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::fields_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::lines_of;
using testing::yaml_object;

TEST(RoleObjects, RulesAreAboutSomething) {
  EXPECT_THAT(
      validate_role(yaml_object("rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]"),
                    nullptr),
      IsEmpty());
  EXPECT_THAT(fields_of(validate_role(
                  yaml_object("rules: [{}, {nonResourceURLs: [/x], verbs: [get]}]"), nullptr)),
              ElementsAre("rules[0].verbs", "rules[0].apiGroups", "rules[0].resources",
                          "rules[1].nonResourceURLs"));
  EXPECT_THAT(
      validate_cluster_role(yaml_object("rules: [{nonResourceURLs: [/x], verbs: [get]}]"), nullptr),
      IsEmpty());
  EXPECT_THAT(fields_of(validate_cluster_role(yaml_object("aggregationRule: {}"), nullptr)),
              ElementsAre("aggregationRule.clusterRoleSelectors"));
}

constexpr std::string_view kRef =
    "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}";

TEST(RoleObjects, BindingsNameRolesAndSubjects) {
  EXPECT_THAT(validate_cluster_role_binding(yaml_object(kRef), nullptr), IsEmpty());
  EXPECT_THAT(fields_of(validate_role_binding(yaml_object("{}"), nullptr)),
              ElementsAre("roleRef.kind", "roleRef.name"));
  EXPECT_THAT(fields_of(validate_cluster_role_binding(
                  yaml_object("{" + std::string(kRef) +
                              ", subjects: [{kind: Robot, name: a}, {kind: User, name: a}, {kind: "
                              "ServiceAccount, name: a}]}"),
                  nullptr)),
              ElementsAre("subjects[0].kind", "subjects[1].apiGroup", "subjects[2].namespace"));
}

TEST(RoleObjects, ABindingKeepsItsRole) {
  const json::Value before = yaml_object(kRef);
  json::Value after = before;
  after["roleRef"]["name"] = "edit";
  EXPECT_THAT(lines_of(validate_role_binding(after, &before)),
              ElementsAre(HasSubstr("cannot change roleRef")));
}

}  // namespace
}  // namespace berth::apiserver
