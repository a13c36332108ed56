#include "apiserver/bootstrap.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

void install(TestHub& hub) {
  const json::Value foos = json::parse(testing::kFooDefinition).value();
  for (const ApiRequest& request : bootstrap_requests({foos}, "PEM")) {
    const HubAnswer answer = hub.perform(request);
    ASSERT_LT(answer.status, 300) << request.info.resource << " " << answer.body;
  }
}

TEST(Bootstrap, MakesWhatEveryHubHas) {
  TestHub hub;
  install(hub);
  for (const char* name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    EXPECT_EQ(hub.get(std::string("/api/v1/namespaces/") + name).at("/status/phase"), "Active");
  }
  const std::string roles = "/apis/rbac.authorization.k8s.io/v1/";
  EXPECT_EQ(hub.get(roles + "clusterroles/cluster-admin").status, 200);
  EXPECT_EQ(hub.get(roles + "clusterrolebindings/cluster-admin").status, 200);
  EXPECT_EQ(hub.get("/api/v1/namespaces/default/services/kubernetes").at("/spec/ports/0/port"),
            "443");
  EXPECT_EQ(hub.get("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication")
                .at("/data/client-ca-file"),
            "PEM");
  EXPECT_EQ(hub.get(std::string(testing::kFoos)).status, 200);
}

TEST(Bootstrap, ASecondStartChangesNothing) {
  TestHub hub;
  install(hub);
  const store::Revision before = hub.revision();
  hub.advance(std::chrono::hours(1));
  install(hub);
  EXPECT_EQ(hub.revision(), before);
}

TEST(Bootstrap, WhatSomebodyAddedStays) {
  TestHub hub;
  install(hub);
  hub.merge("/api/v1/namespaces/default", R"({"metadata":{"labels":{"mine":"1"}}})");
  install(hub);
  EXPECT_EQ(hub.get("/api/v1/namespaces/default").at("/metadata/labels/mine"), "1");
}

TEST(Bootstrap, TheHubMayDoEverything) { EXPECT_TRUE(hub_user().is_in(kMasters)); }

}  // namespace
}  // namespace berth::apiserver
