#include "apiserver/verbs/dispatch.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

TEST(Dispatch, GroupsThatAreNotServedAreNoPage) {
  TestHub hub;
  const HubAnswer answer = hub.get("/apis/nobody.io/v1/namespaces/team/foos");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.body, "404 page not found\n");
  EXPECT_EQ(answer.headers.find("content-type"), "text/plain; charset=utf-8");
}

TEST(Dispatch, WhatAServedGroupDoesNotHaveIsNotFound) {
  TestHub hub;
  for (const char* target :
       {"/api/v1/namespaces/team/nothings", "/api/v1/namespaces/team%2f../configmaps",
        "/api/v2/namespaces/team/configmaps", "/api/v1/namespaces/team/configmaps/a/scale",
        "/api/v1/namespaces/team/configmaps/a/status", "/api/v1/namespaces/team/nodes",
        "/api/v1/configmaps/a", "/api/v1/namespaces/team/pods/a/log",
        "/api/v1/namespaces/team/pods/a/status/more"}) {
    const HubAnswer answer = hub.get(target);
    EXPECT_EQ(answer.status, 404) << target;
    EXPECT_TRUE(answer.body.contains(R"("reason":"NotFound")")) << target;
  }
}

TEST(Dispatch, VerbsThatAResourceDoesNotHaveAreNotAllowed) {
  struct Row {
    http::Method method;
    const char* target;
  };
  TestHub hub;
  for (const Row& row : {
           Row{http::Method::Delete, "/api/v1/namespaces"},
           Row{http::Method::Post, "/api/v1/configmaps"},
           Row{http::Method::Post, "/api/v1/namespaces/team/configmaps/a"},
           Row{http::Method::Put, "/api/v1/namespaces/team/configmaps"},
           Row{http::Method::Patch, "/api/v1/namespaces/team/configmaps"},
           Row{http::Method::Patch,
               "/api/v1/namespaces/team/configmaps?fieldSelector=metadata.name=a"},
           Row{http::Method::Get, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"},
           Row{http::Method::Get, "/api/v1/namespaces/team/pods/a/binding"},
           Row{http::Method::Delete, "/api/v1/namespaces/team/pods/a/status"},
       }) {
    const HubAnswer answer = hub.send({.method = row.method, .target = row.target, .body = "{}"});
    EXPECT_EQ(answer.status, 405) << row.target;
    EXPECT_EQ(answer.at("/reason"), "MethodNotAllowed") << row.target;
  }
}

TEST(Dispatch, ATimeoutThatIsNoneIsABadRequest) {
  TestHub hub;
  EXPECT_EQ(hub.get("/api/v1/namespaces?timeout=32s").status, 200);
  const HubAnswer answer = hub.get("/api/v1/namespaces?timeout=soon");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.at("/reason"), "BadRequest");
  EXPECT_EQ(hub.get("/api/v1/namespaces?watch=1&timeout=soon").status, 200);
}

TEST(Dispatch, ADeprecatedVersionSaysSoWithEveryAnswer) {
  TestHub hub;
  hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
  const std::string old = "/apis/ex.io/v1alpha1/namespaces/team/foos";
  const std::vector<std::string> warning = {
      R"(299 - "ex.io/v1alpha1 Foo is deprecated; use ex.io/v1 Foo")"};
  EXPECT_EQ(hub.post(old, R"({"metadata":{"name":"a"}})").warnings(), warning);
  EXPECT_EQ(hub.get(old + "/a").warnings(), warning);
  EXPECT_EQ(hub.get(old + "/b").warnings(), warning);
  EXPECT_EQ(hub.get(old).warnings(), warning);
  EXPECT_EQ(hub.get(old + "?watch=true").warnings(), warning);
  EXPECT_EQ(hub.remove(old + "/a").warnings(), warning);
  EXPECT_TRUE(hub.get(std::string(testing::kFoos)).warnings().empty());
}

TEST(Dispatch, HeadIsAGet) {
  TestHub hub;
  EXPECT_EQ(hub.send({.method = http::Method::Head, .target = "/api/v1/namespaces/team"}).status,
            200);
  EXPECT_EQ(hub.send({.method = http::Method::Options, .target = "/api/v1/namespaces/team"}).status,
            405);
}

TEST(Dispatch, AFailureOfTheStoreIsTheAnswer) {
  TestHub hub;
  hub.fail_next_commit({.code = Code::ServiceUnavailable, .message = "the disk is full"});
  const HubAnswer answer = hub.post("/api/v1/namespaces", R"({"metadata":{"name":"n"}})");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.at("/message"), "the disk is full");
}

}  // namespace
}  // namespace berth::apiserver
