#include "apiserver/verbs/write.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::kFoos;
using testing::TestHub;

constexpr const char* kJsonPatch = "application/json-patch+json";
constexpr const char* kMergePatch = "application/merge-patch+json";
constexpr const char* kStrategicPatch = "application/strategic-merge-patch+json";

class WriteVerbs : public ::testing::Test {
 protected:
  WriteVerbs() {
    hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
    made = hub.post(foos, R"({"metadata":{"name":"a","labels":{"l":"1"}},"spec":{"n":5}})");
  }

  TestHub hub;
  std::string foos{kFoos};
  std::string a = foos + "/a";
  std::string maps = "/api/v1/namespaces/team/configmaps";
  HubAnswer made;
};

TEST_F(WriteVerbs, CreateAnswersTheObjectAsItIsKept) {
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/apiVersion"), "ex.io/v1");
  EXPECT_EQ(made.at("/kind"), "Foo");
  EXPECT_EQ(made.at("/metadata/generation"), "1");
  EXPECT_EQ(made.at("/metadata/creationTimestamp"), "2026-01-02T03:04:05Z");
  EXPECT_EQ(made.at("/metadata/managedFields/0/manager"), "curl");
  EXPECT_EQ(made.at("/metadata/managedFields/0/operation"), "Update");
  EXPECT_EQ(made.at("/spec"), R"({"n":5,"s":"dflt"})");
  EXPECT_EQ(hub.get(a).body, made.body);
}

TEST_F(WriteVerbs, UnknownFieldsAreToldRefusedOrDropped) {
  const std::string body = R"({"metadata":{"name":"b"},"spec":{"zz":1,"n":1,"n":2}})";
  const HubAnswer strict = hub.post(foos + "?fieldValidation=Strict", body);
  EXPECT_EQ(strict.status, 400);
  EXPECT_EQ(strict.at("/reason"), "BadRequest");
  EXPECT_EQ(strict.at("/message"),
            "Foo in version \"v1\" cannot be handled as a Foo: strict decoding error: duplicate "
            "field \"spec.n\", unknown field \"spec.zz\"");
  const HubAnswer ignored = hub.post(foos + "?fieldValidation=Ignore&dryRun=All", body);
  EXPECT_EQ(ignored.status, 201);
  EXPECT_TRUE(ignored.warnings().empty());
  const HubAnswer warned = hub.post(foos, body);
  EXPECT_EQ(warned.status, 201);
  EXPECT_EQ(warned.warnings(), (std::vector<std::string>{R"(299 - "duplicate field \"spec.n\"")",
                                                         R"(299 - "unknown field \"spec.zz\"")"}));
  EXPECT_EQ(warned.at("/spec"), R"({"n":2,"s":"dflt"})");
  EXPECT_EQ(hub.post(foos + "?fieldValidation=Perhaps", body).status, 422);
}

TEST_F(WriteVerbs, ValuesThatTheSchemaForbidsAreInvalid) {
  const HubAnswer low = hub.post(foos, R"({"metadata":{"name":"b"},"spec":{"n":0}})");
  EXPECT_EQ(low.status, 422);
  EXPECT_EQ(low.at("/reason"), "Invalid");
  EXPECT_EQ(low.at("/details/kind"), "Foo");
  EXPECT_EQ(low.at("/details/group"), "ex.io");
  EXPECT_EQ(low.at("/details/causes/0/field"), "spec.n");
  EXPECT_EQ(low.at("/details/causes/0/reason"), "FieldValueInvalid");
  const HubAnswer high = hub.post(foos, R"({"metadata":{"name":"b"},"spec":{"n":1000}})");
  EXPECT_EQ(high.status, 422);
  EXPECT_EQ(high.at("/details/causes/0/field"), "spec");
  EXPECT_EQ(high.at("/details/causes/0/message"), "Invalid value: n too big");
}

TEST_F(WriteVerbs, AValueOfTheWrongTypeCannotBeRead) {
  const HubAnswer map = hub.post(maps, R"({"metadata":{"name":"m"},"data":{"k":5}})");
  EXPECT_EQ(map.status, 400);
  const HubAnswer foo = hub.post(foos, R"({"metadata":{"name":"b"},"spec":{"n":"x"}})");
  EXPECT_EQ(foo.status, 422);
  EXPECT_EQ(foo.at("/details/causes/0/reason"), "FieldValueTypeInvalid");
}

TEST_F(WriteVerbs, UpdateReplacesTheObject) {
  const HubAnswer put = hub.put(
      a, fmt::format(R"({{"metadata":{{"name":"a","resourceVersion":"{}"}},"spec":{{"n":6}}}})",
                     made.at("/metadata/resourceVersion")));
  EXPECT_EQ(put.status, 200);
  EXPECT_EQ(put.at("/spec"), R"({"n":6,"s":"dflt"})");
  EXPECT_EQ(put.at("/metadata/labels"), "");
  EXPECT_EQ(put.at("/metadata/uid"), made.at("/metadata/uid"));
  EXPECT_EQ(put.at("/metadata/generation"), "2");
}

TEST_F(WriteVerbs, UpdateOfWhatIsMissingCreatesOnlySomeKinds) {
  EXPECT_EQ(hub.put(foos + "/b", R"({"metadata":{"name":"b","resourceVersion":"1"}})").status, 404);
  EXPECT_EQ(hub.put(maps + "/b", R"({"metadata":{"name":"b"}})").status, 404);
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/team/leases/";
  EXPECT_EQ(hub.put(leases + "l", R"({"metadata":{"name":"l"}})").status, 201);
  EXPECT_EQ(hub.put(leases + "m", R"({"metadata":{"name":"m","resourceVersion":"7"}})").status,
            201);
  EXPECT_EQ(hub.put("/apis/rbac.authorization.k8s.io/v1/clusterroles/a:b",
                    R"({"metadata":{"name":"a:b"},"rules":[]})")
                .status,
            201);
  EXPECT_EQ(
      hub.put(foos + "/b/status", R"({"metadata":{"name":"b","resourceVersion":"1"}})").status,
      404);
}

TEST_F(WriteVerbs, AMergePatchMerges) {
  const HubAnswer patched =
      hub.merge(a, R"({"metadata":{"labels":{"l":null,"m":"2"}},"spec":{"color":"red"}})");
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(patched.at("/metadata/labels"), R"({"m":"2"})");
  EXPECT_EQ(patched.at("/spec"), R"({"n":5,"s":"dflt","color":"red"})");
  EXPECT_EQ(hub.merge(a, "[]").status, 400);
  EXPECT_EQ(hub.merge(a, "{").status, 400);
  EXPECT_EQ(hub.merge(foos + "/b", "{}").status, 404);
}

TEST_F(WriteVerbs, AJsonPatchDoesWhatItSays) {
  const HubAnswer patched =
      hub.patch(a, R"([{"op":"replace","path":"/spec/n","value":7}])", kJsonPatch);
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(patched.at("/spec/n"), "7");
  const HubAnswer failed =
      hub.patch(a, R"([{"op":"test","path":"/spec/n","value":8}])", kJsonPatch);
  EXPECT_EQ(failed.status, 422);
  EXPECT_EQ(failed.at("/reason"), "Invalid");
  EXPECT_EQ(failed.at("/details"), "");
  EXPECT_EQ(hub.patch(a, R"([{"op":"remove","path":"/spec/none"}])", kJsonPatch).status, 422);
  EXPECT_EQ(hub.patch(a, R"({"op":"remove"})", kJsonPatch).status, 400);
  EXPECT_EQ(hub.patch(a, R"([{"op":"replace","path":"","value":5}])", kJsonPatch).status, 422);
}

TEST_F(WriteVerbs, AJsonPatchOfTooManyStepsIsTooLarge) {
  std::string steps = R"([{"op":"test","path":"/spec/n","value":5})";
  for (int i = 0; i < 10'000; ++i) steps += R"(,{"op":"test","path":"/spec/n","value":5})";
  EXPECT_EQ(hub.patch(a, steps + "]", kJsonPatch).status, 413);
}

TEST_F(WriteVerbs, AStrategicPatchKnowsTheListsOfBuiltInKindsOnly) {
  const std::string accounts = "/api/v1/namespaces/team/serviceaccounts";
  hub.post(accounts, R"({"metadata":{"name":"s"},"secrets":[{"name":"x"}]})");
  const HubAnswer patched =
      hub.patch(accounts + "/s", R"({"secrets":[{"name":"y"}]})", kStrategicPatch);
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(patched.json().find("secrets")->size(), 2);
  const HubAnswer custom = hub.patch(a, "{}", kStrategicPatch);
  EXPECT_EQ(custom.status, 415);
  EXPECT_EQ(custom.at("/reason"), "UnsupportedMediaType");
  for (const char* type : {kJsonPatch, kMergePatch, "application/apply-patch+yaml"}) {
    EXPECT_TRUE(custom.at("/message").contains(type)) << custom.body;
  }
  EXPECT_EQ(hub.patch(a, "{}", "text/plain").status, 415);
}

TEST_F(WriteVerbs, APatchThatMakesNonsenseIsInvalid) {
  const HubAnswer unknown = hub.merge(a + "?fieldValidation=Strict", R"({"spec":{"zz":1}})");
  EXPECT_EQ(unknown.status, 422);
  EXPECT_TRUE(unknown.at("/message").contains("strict decoding error: unknown field \"spec.zz\""));
  EXPECT_EQ(hub.merge(a, R"({"spec":{"zz":1}})").warnings(),
            std::vector<std::string>{R"(299 - "unknown field \"spec.zz\"")"});
  EXPECT_EQ(hub.merge(a, R"({"kind":"Bar"})").status, 400);
  EXPECT_EQ(hub.merge(a, R"({"metadata":{"name":"b"}})").status, 400);
  EXPECT_EQ(hub.merge(a + "?force=true", "{}").status, 422);
}

TEST_F(WriteVerbs, AnAppliedConfigurationCreatesAndChanges) {
  const std::string b = foos + "/b?fieldManager=";
  const std::string body =
      "apiVersion: ex.io/v1\nkind: Foo\nmetadata: {name: b}\nspec: {\"n\": 3}\n";
  const HubAnswer created = hub.apply(b + "test", body);
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(created.at("/metadata/managedFields/0/operation"), "Apply");
  const store::Revision before = hub.revision();
  EXPECT_EQ(hub.apply(b + "test", body).status, 200);
  EXPECT_EQ(hub.revision(), before);

  const std::string other = R"({"apiVersion":"ex.io/v1","kind":"Foo","spec":{"n":4}})";
  const HubAnswer refused = hub.apply(b + "other", other);
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.at("/reason"), "Conflict");
  EXPECT_EQ(refused.at("/message"),
            "Apply failed with 1 conflict: conflict with \"test\": .spec.n");
  EXPECT_EQ(refused.at("/details/causes/0/reason"), "FieldManagerConflict");
  EXPECT_EQ(refused.at("/details/causes/0/field"), ".spec.n");
  EXPECT_EQ(hub.apply(b + "other&force=true", other).at("/spec/n"), "4");
  // Who only updated is told with the version he used.
  EXPECT_EQ(hub.apply(a + "?fieldManager=other", other).at("/message"),
            "Apply failed with 1 conflict: conflict with \"curl\" using ex.io/v1: .spec.n");
}

TEST_F(WriteVerbs, AnApplyHasToSayWhoAppliesWhat) {
  const HubAnswer nobody = hub.apply(a, R"({"apiVersion":"ex.io/v1","kind":"Foo"})");
  EXPECT_EQ(nobody.status, 422);
  EXPECT_EQ(nobody.at("/details/kind"), "PatchOptions");
  EXPECT_EQ(hub.apply(a + "?fieldManager=t", "{}").status, 400);
  EXPECT_EQ(hub.apply(a + "?fieldManager=t", "[]").status, 400);
  EXPECT_EQ(hub.apply(a + "?fieldManager=t", "a: b: c").status, 400);
  EXPECT_EQ(
      hub.apply(foos + "/none/status?fieldManager=t", R"({"apiVersion":"ex.io/v1","kind":"Foo"})")
          .status,
      404);
}

TEST_F(WriteVerbs, CreatingThroughAnotherVerbNeedsTheRightToCreate) {
  const HubAnswer refused = hub.send({.method = http::Method::Patch,
                                      .target = foos + "/b?fieldManager=t",
                                      .body = R"({"apiVersion":"ex.io/v1","kind":"Foo"})",
                                      .headers = {{"content-type", "application/apply-patch+yaml"}},
                                      .user = testing::plain_user("eve")});
  EXPECT_EQ(refused.status, 403);
  EXPECT_TRUE(refused.at("/message").contains("cannot create resource \"foos\"")) << refused.body;
}

}  // namespace
}  // namespace berth::apiserver
