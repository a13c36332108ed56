#include "apiserver/verbs/special.h"

#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::plain_user;
using testing::TestHub;

const std::string kAuthorization = "/apis/authorization.k8s.io/v1/";
const std::string kAuthentication = "/apis/authentication.k8s.io/v1/";

TEST(Special, ReviewsAreAnsweredAndNotKept) {
  TestHub hub;
  const store::Revision before = hub.revision();
  const HubAnswer own =
      hub.post(kAuthorization + "selfsubjectaccessreviews",
               R"({"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}})");
  EXPECT_EQ(own.status, 201);
  EXPECT_EQ(own.at("/kind"), "SelfSubjectAccessReview");
  EXPECT_EQ(own.at("/status/allowed"), "true");
  const HubAnswer other =
      hub.post(kAuthorization + "subjectaccessreviews",
               R"({"spec":{"user":"eve","resourceAttributes":{"verb":"get","resource":"pods"}}})");
  EXPECT_EQ(other.at("/status/allowed"), "false");
  const HubAnswer local = hub.post(kAuthorization + "namespaces/team/localsubjectaccessreviews",
                                   R"({"metadata":{"namespace":"team"},"spec":{"user":"eve",
          "resourceAttributes":{"namespace":"team","verb":"get","resource":"pods"}}})");
  EXPECT_EQ(local.status, 201) << local.body;
  EXPECT_EQ(local.at("/status/allowed"), "false");
  EXPECT_EQ(hub.post(kAuthorization + "selfsubjectrulesreviews", R"({"spec":{"namespace":"team"}})")
                .status,
            201);
  EXPECT_EQ(hub.revision(), before);
}

TEST(Special, AReviewHasToBeComplete) {
  TestHub hub;
  EXPECT_EQ(hub.post(kAuthorization + "subjectaccessreviews", R"({"spec":{}})").status, 422);
  EXPECT_EQ(hub.post(kAuthorization + "subjectaccessreviews", "[").status, 400);
}

TEST(Special, AReviewIsNoTable) {
  TestHub hub;
  const HubAnswer answer =
      hub.send({.method = http::Method::Post,
                .target = kAuthorization + "selfsubjectaccessreviews",
                .body = R"({"spec":{"nonResourceAttributes":{"verb":"get","path":"/"}}})",
                .headers = {{"accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}}});
  EXPECT_EQ(answer.status, 406);
  EXPECT_EQ(answer.at("/reason"), "NotAcceptable");
}

TEST(Special, EverybodyCanAskWhoHeIs) {
  TestHub hub;
  const HubAnswer answer = hub.send({.method = http::Method::Post,
                                     .target = kAuthentication + "selfsubjectreviews",
                                     .body = "{}",
                                     .user = plain_user("eve")});
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.at("/status/userInfo/username"), "eve");
}

TEST(Special, ATokenNamesItsAccountUntilTheAccountIsGone) {
  TestHub hub;
  const std::string accounts = "/api/v1/namespaces/team/serviceaccounts";
  EXPECT_EQ(hub.post(accounts + "/app/token", "{}").status, 404);
  hub.post(accounts, R"({"metadata":{"name":"app"}})");
  const HubAnswer made = hub.post(accounts + "/app/token", R"({"spec":{"expirationSeconds":600}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/kind"), "TokenRequest");
  EXPECT_EQ(made.at("/status/expirationTimestamp"), "2026-01-02T03:14:05Z");
  EXPECT_EQ(hub.post(accounts + "/app/token", R"({"spec":{"expirationSeconds":5}})").status, 422);

  const std::string question = R"({"spec":{"token":")" + made.at("/status/token") + R"("}})";
  const HubAnswer known = hub.post(kAuthentication + "tokenreviews", question);
  EXPECT_EQ(known.at("/status/authenticated"), "true");
  EXPECT_EQ(known.at("/status/user/username"), "system:serviceaccount:team:app");
  hub.remove(accounts + "/app");
  const HubAnswer unknown = hub.post(kAuthentication + "tokenreviews", question);
  EXPECT_NE(unknown.at("/status/authenticated"), "true");
}

TEST(Special, ANamespaceEndsWithItsFinalizers) {
  TestHub hub;
  const std::string team = "/api/v1/namespaces/team";
  hub.remove(team);
  EXPECT_EQ(hub.get(team).at("/status/phase"), "Terminating");
  const HubAnswer finalized =
      hub.put(team + "/finalize", R"({"metadata":{"name":"team"},"spec":{"finalizers":[]}})");
  EXPECT_EQ(finalized.status, 200) << finalized.body;
  EXPECT_EQ(finalized.at("/status/phase"), "Terminating");
  EXPECT_EQ(hub.get(team).status, 404);
}

}  // namespace
}  // namespace berth::apiserver
