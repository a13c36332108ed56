#include "apiserver/auth/followed_rbac.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::TestHub;

class TheFollowedRights : public ::testing::Test {
 protected:
  static constexpr const char* kPath = "/apis/rbac.authorization.k8s.io/v1/";

  void follow() { rbac_.follow(*hub_.view().snapshot); }

  static bool may_get_pods(const Rbac& rbac) {
    return rbac.allows({.name = "jane"}, {.verb = "get", .resource = "pods", .ns = "team"});
  }
  bool may_get_pods() const { return may_get_pods(*rbac_.current()); }

  void make_role(const std::string& verb) {
    hub_.post(kPath + std::string("namespaces/team/roles"),
              R"({"metadata":{"name":"r"},"rules":[{"apiGroups":[""],"resources":["pods"],
                  "verbs":[")" +
                  verb + R"("]}]})");
  }
  void bind() {
    hub_.post(kPath + std::string("namespaces/team/rolebindings"),
              R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",
                  "kind":"Role","name":"r"},"subjects":[{"apiGroup":"rbac.authorization.k8s.io",
                  "kind":"User","name":"jane"}]})");
  }
  void remove(const std::string& what) { hub_.remove(kPath + ("namespaces/team/" + what)); }

  TestHub hub_;
  FollowedRbac rbac_;
};

TEST_F(TheFollowedRights, AreThoseOfTheNewestSnapshot) {
  follow();
  EXPECT_FALSE(may_get_pods());
  bind();  // To a role that is not there yet.
  follow();
  EXPECT_FALSE(may_get_pods());
  make_role("get");
  follow();
  EXPECT_TRUE(may_get_pods());
  remove("roles/r");
  follow();
  EXPECT_FALSE(may_get_pods());
  make_role("get");
  remove("rolebindings/b");
  follow();
  EXPECT_FALSE(may_get_pods());
}

TEST_F(TheFollowedRights, StayAsTheyWereForWhoeverKeepsThem) {
  make_role("get");
  bind();
  follow();
  const std::shared_ptr<const Rbac> kept = rbac_.current();
  remove("roles/r");
  follow();
  EXPECT_TRUE(may_get_pods(*kept));
  EXPECT_FALSE(may_get_pods());
}

}  // namespace
}  // namespace berth::apiserver
