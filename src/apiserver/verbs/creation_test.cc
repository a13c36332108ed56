#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "apiserver/verbs/writing.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

class Creation : public ::testing::Test {
 protected:
  Creation() { hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition)); }

  TestHub hub;
  std::string foos{testing::kFoos};
  std::string maps = "/api/v1/namespaces/team/configmaps";
};

TEST_F(Creation, WhatOnlyTheServerSaysIsNotTakenFromTheClient) {
  const HubAnswer made = hub.post(foos, R"({"metadata":{"name":"a","uid":"mine",
      "creationTimestamp":"1999-01-01T00:00:00Z","deletionTimestamp":"1999-01-01T00:00:00Z",
      "deletionGracePeriodSeconds":5,"generation":77,"selfLink":"/x"},"status":{"ready":true}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_NE(made.at("/metadata/uid"), "mine");
  EXPECT_EQ(made.at("/metadata/creationTimestamp"), "2026-01-02T03:04:05Z");
  EXPECT_EQ(made.at("/metadata/deletionTimestamp"), "");
  EXPECT_EQ(made.at("/metadata/deletionGracePeriodSeconds"), "");
  EXPECT_EQ(made.at("/metadata/generation"), "1");
  EXPECT_EQ(made.at("/metadata/selfLink"), "");
  EXPECT_EQ(made.at("/status"), "");
}

TEST_F(Creation, AnObjectWithAVersionIsNotNew) {
  const HubAnswer refused = hub.post(foos, R"({"metadata":{"name":"a","resourceVersion":"5"}})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.at("/message"), "resourceVersion should not be set on objects to be created");
}

TEST_F(Creation, ANameThatIsTakenIsToldAndSoIsThatItGoes) {
  hub.post(foos, R"({"metadata":{"name":"a","finalizers":["ex.io/hold"]}})");
  const HubAnswer taken = hub.post(foos, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(taken.status, 409);
  EXPECT_EQ(taken.at("/reason"), "AlreadyExists");
  EXPECT_EQ(taken.at("/message"), "foos.ex.io \"a\" already exists");
  EXPECT_EQ(taken.at("/details/kind"), "foos");
  hub.remove(foos + "/a");
  EXPECT_EQ(hub.post(foos, R"({"metadata":{"name":"a"}})").at("/message"),
            "object is being deleted: foos.ex.io \"a\" already exists");
}

TEST_F(Creation, SomebodyWhoWasFasterHasTheName) {
  hub.before_next_commit([this] { hub.post(maps, R"({"metadata":{"name":"a"}})"); });
  const HubAnswer late = hub.post(maps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(late.at("/reason"), "AlreadyExists");
}

TEST_F(Creation, NamesAreGeneratedUntilOneIsFree) {
  const std::string body = R"({"metadata":{"generateName":"x-"}})";
  const HubAnswer first = hub.post(maps, body);
  EXPECT_EQ(first.status, 201);
  EXPECT_TRUE(first.at("/metadata/name").starts_with("x-"));
  EXPECT_EQ(first.at("/metadata/name").size(), 7);
  EXPECT_EQ(first.at("/metadata/generateName"), "x-");
  // The name is there already when the writes are made: another one is drawn.
  HubAnswer competing;
  hub.before_next_commit([&] { competing = hub.post(maps, body); });
  const HubAnswer second = hub.post(maps, body);
  EXPECT_EQ(second.status, 201);
  EXPECT_NE(second.at("/metadata/name"), competing.at("/metadata/name"));
  const HubAnswer named = hub.post(maps, R"({"metadata":{"name":"n","generateName":"x-"}})");
  EXPECT_EQ(named.at("/metadata/name"), "n");
}

TEST_F(Creation, NamesFollowTheRulesOfTheirKind) {
  EXPECT_EQ(hub.post(maps, R"({"metadata":{}})").status, 422);
  const HubAnswer upper = hub.post(foos, R"({"metadata":{"name":"Big"}})");
  EXPECT_EQ(upper.status, 422);
  EXPECT_EQ(upper.at("/details/causes/0/field"), "metadata.name");
  EXPECT_EQ(hub.post("/api/v1/namespaces", R"({"metadata":{"name":"a.b"}})").status, 422);
  EXPECT_EQ(hub.post(maps, R"({"metadata":{"name":"a.b"}})").status, 201);
  EXPECT_EQ(hub.post("/apis/rbac.authorization.k8s.io/v1/clusterroles",
                     R"({"metadata":{"name":"open-cluster-management:x"},"rules":[]})")
                .status,
            201);
}

TEST_F(Creation, ThereIsNoRoomInANamespaceThatIsNotThereOrGoes) {
  const HubAnswer missing =
      hub.post("/apis/ex.io/v1/namespaces/nowhere/foos", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.at("/details"), R"({"name":"nowhere","kind":"namespaces"})");
  hub.remove("/api/v1/namespaces/team");
  const HubAnswer closed = hub.post(foos, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(closed.status, 403);
  EXPECT_EQ(closed.at("/reason"), "Forbidden");
  EXPECT_EQ(closed.at("/details/causes/0/reason"), "NamespaceTerminating");
  EXPECT_EQ(closed.at("/message"),
            "foos.ex.io \"a\" is forbidden: unable to create new content in namespace team because "
            "it is being terminated");
}

TEST_F(Creation, ATrialLeavesNothing) {
  const std::size_t commits = hub.commits();
  const HubAnswer trial = hub.post(foos + "?dryRun=All", R"({"metadata":{"name":"a"},"spec":{}})");
  EXPECT_EQ(trial.status, 201);
  EXPECT_EQ(trial.at("/spec/s"), "dflt");
  EXPECT_NE(trial.at("/metadata/uid"), "");
  EXPECT_EQ(hub.commits(), commits);
  EXPECT_EQ(hub.get(foos + "/a").status, 404);
  EXPECT_EQ(hub.post(foos + "?dryRun=Some", R"({"metadata":{"name":"a"}})").status, 422);
}

TEST_F(Creation, OwnersAreCheckedAndRepeatedOnesDropped) {
  const std::string owner = R"({"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"u"})";
  const HubAnswer twice = hub.post(
      maps, fmt::format(R"({{"metadata":{{"name":"a","ownerReferences":[{0},{0}]}}}})", owner));
  EXPECT_EQ(twice.status, 201);
  EXPECT_EQ(twice.warnings().size(), 1);
  EXPECT_EQ(twice.at("/metadata/ownerReferences"), "[" + owner + "]");
  EXPECT_EQ(hub.post(maps, R"({"metadata":{"name":"b","ownerReferences":[{"kind":"X"}]}})").status,
            422);
}

TEST_F(Creation, AnObjectThatIsTooLargeIsRefused) {
  const std::string big(1'600'000, 'x');
  const HubAnswer refused =
      hub.post("/apis/ex.io/v1alpha1/namespaces/team/foos",
               fmt::format(R"({{"metadata":{{"name":"a"}},"spec":{{"text":"{}"}}}})", big));
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.at("/reason"), "RequestEntityTooLarge");
}

TEST_F(Creation, NothingIsCreatedWhoseDefinitionIsBeingDeleted) {
  hub.post(foos, R"({"metadata":{"name":"a"}})");
  hub.remove(std::string(testing::kDefinitions) + "/foos.ex.io");
  const HubAnswer refused = hub.post(foos, R"({"metadata":{"name":"b"}})");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.at("/message"),
            "create not allowed while custom resource definition is terminating");
  EXPECT_EQ(refused.at("/details"), R"({"group":"ex.io","kind":"foos"})");
  EXPECT_EQ(hub.get(foos + "/a").status, 200);
  EXPECT_EQ(hub.remove(foos + "/a").status, 200);
}

}  // namespace
}  // namespace berth::apiserver
