#include "apiserver/strategies/roles.h"

#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kRbac = "/apis/rbac.authorization.k8s.io/v1/";
const std::string kReader =
    R"({"metadata":{"name":"reader"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]})";

class Roles : public ::testing::Test {
 protected:
  HubAnswer as_eve(http::Method method, std::string target, std::string body) {
    return hub.send({.method = method,
                     .target = std::move(target),
                     .body = std::move(body),
                     .headers = {{"content-type", "application/json"}},
                     .user = testing::plain_user("eve")});
  }

  TestHub hub;
};

TEST_F(Roles, NobodyGivesRightsThatHeDoesNotHave) {
  const HubAnswer refused = as_eve(http::Method::Post, kRbac + "clusterroles", kReader);
  EXPECT_EQ(refused.status, 403);
  EXPECT_TRUE(refused.at("/message")
                  .contains("is attempting to grant RBAC permissions not "
                            "currently held"))
      << refused.body;
  EXPECT_EQ(hub.post(kRbac + "clusterroles", kReader).status, 201);
  const std::string binding =
      R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",
          "kind":"ClusterRole","name":"reader"},"subjects":[{"kind":"User","name":"eve",
          "apiGroup":"rbac.authorization.k8s.io"}]})";
  EXPECT_EQ(as_eve(http::Method::Post, kRbac + "clusterrolebindings", binding).status, 403);
  EXPECT_EQ(hub.post(kRbac + "clusterrolebindings", binding).status, 201);
  // Now she has it and may pass it on.
  EXPECT_EQ(as_eve(http::Method::Post, kRbac + "namespaces/team/roles", kReader).status, 201);
}

TEST_F(Roles, AnUpdateMustNotAddRightsEither) {
  hub.post(kRbac + "clusterroles", R"({"metadata":{"name":"reader"},"rules":[]})");
  EXPECT_EQ(as_eve(http::Method::Put, kRbac + "clusterroles/reader", kReader).status, 403);
  EXPECT_EQ(hub.get(kRbac + "clusterroles/reader").at("/rules"), "[]");
}

TEST_F(Roles, ABindingKeepsItsRole) {
  hub.post(kRbac + "clusterroles", kReader);
  const auto binding = [](const char* role) {
    return std::string(R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":)") +
           R"("rbac.authorization.k8s.io","kind":"ClusterRole","name":")" + role + R"("}})";
  };
  EXPECT_EQ(hub.post(kRbac + "clusterrolebindings", binding("reader")).status, 201);
  const HubAnswer changed = hub.put(kRbac + "clusterrolebindings/b", binding("other"));
  EXPECT_EQ(changed.status, 422);
  EXPECT_EQ(changed.at("/details/causes/0/field"), "roleRef");
  EXPECT_TRUE(changed.at("/message").contains("cannot change roleRef"));
  EXPECT_EQ(hub.put(kRbac + "clusterrolebindings/b", binding("reader")).status, 200);
}

TEST_F(Roles, NamesMayHaveColons) {
  EXPECT_EQ(hub.post(kRbac + "clusterroles", R"({"metadata":{"name":"a:b"},"rules":[]})").status,
            201);
  EXPECT_EQ(hub.post(kRbac + "clusterroles", R"({"metadata":{"name":"a/b"},"rules":[]})").status,
            422);
}

}  // namespace
}  // namespace berth::apiserver
