#include "fleet/work/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::fleet {
namespace {

using ::testing::ElementsAre;

const ResourceMeta kRole{.group = "rbac.authorization.k8s.io",
                         .version = "v1",
                         .kind = "Role",
                         .resource = "roles",
                         .ns = "n",
                         .name = "r"};

TEST(Access, WhoeverMayNotDeleteMayNotOwn) {
  EXPECT_THAT(needed_verbs(Ownership::Ours),
              ElementsAre("create", "update", "patch", "get", "delete"));
  EXPECT_THAT(needed_verbs(Ownership::None), ElementsAre("create", "update", "patch", "get"));
}

TEST(Access, TheReviewIsAboutTheAccountWithItsGroups) {
  EXPECT_EQ(json::print(access_review({.ns = "a", .name = "bot"}, kRole, "get")),
            R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":)"
            R"({"resourceAttributes":{"group":"rbac.authorization.k8s.io","version":"v1",)"
            R"("resource":"roles","namespace":"n","name":"r","verb":"get"},)"
            R"("user":"system:serviceaccount:a:bot","groups":["system:serviceaccounts",)"
            R"("system:authenticated","system:serviceaccounts:a"]}})");
}

TEST(Access, RolesAndBindingsMayEscalate) {
  EXPECT_TRUE(may_escalate(kRole));
  EXPECT_FALSE(may_escalate({.group = "", .resource = "configmaps"}));
  EXPECT_FALSE(may_escalate({.group = "example.com", .resource = "roles"}));
}

TEST(Access, RefusalsAreInTheWordsOfTheReference) {
  EXPECT_EQ(refusal(kRole).message,
            "not allowed to apply the resource rbac.authorization.k8s.io roles, n r, will try "
            "again in 1m0s");
  EXPECT_EQ(escalation_refusal(kRole).message,
            "not allowed to apply the resource rbac.authorization.k8s.io roles, n r, error: "
            "permission escalation, will try again in 1m0s");
}

}  // namespace
}  // namespace berth::fleet
