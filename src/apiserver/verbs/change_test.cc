#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "apiserver/verbs/writing.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

class Changing : public ::testing::Test {
 protected:
  Changing() {
    hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
    made = hub.post(foos, R"({"metadata":{"name":"a"},"spec":{"n":5}})");
  }

  std::string version() { return hub.get(a).at("/metadata/resourceVersion"); }
  HubAnswer put(std::string_view metadata, std::string_view rest) {
    return hub.put(a, fmt::format(R"({{"metadata":{{{}}}{}}})", metadata, rest));
  }

  TestHub hub;
  std::string foos{testing::kFoos};
  std::string a = foos + "/a";
  HubAnswer made;
};

TEST_F(Changing, AVersionThatIsNotTheNewestConflicts) {
  const HubAnswer stale = put(R"("name":"a","resourceVersion":"1")", "");
  EXPECT_EQ(stale.status, 409);
  EXPECT_EQ(stale.at("/reason"), "Conflict");
  EXPECT_EQ(stale.at("/details/kind"), "foos");
  EXPECT_EQ(stale.at("/message"),
            "Operation cannot be fulfilled on foos.ex.io \"a\": the object has been modified; "
            "please apply your changes to the latest version and try again");
  EXPECT_EQ(hub.merge(a, R"({"metadata":{"resourceVersion":"1"}})").status, 409);
  EXPECT_EQ(
      hub.merge(a, fmt::format(R"({{"metadata":{{"resourceVersion":"{}"}}}})", version())).status,
      200);
}

TEST_F(Changing, SomeKindsHaveToSayWhichVersionTheyReplace) {
  const HubAnswer refused = put(R"("name":"a")", "");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.at("/details/kind"), "foos");
  EXPECT_EQ(refused.at("/details/causes/0/field"), "metadata.resourceVersion");
  EXPECT_EQ(refused.at("/details/causes/0/message"),
            "Invalid value: 0: must be specified for an update");
  const std::string maps = "/api/v1/namespaces/team/configmaps";
  hub.post(maps, R"({"metadata":{"name":"m"}})");
  EXPECT_EQ(hub.put(maps + "/m", R"({"metadata":{"name":"m"},"data":{"k":"v"}})").status, 200);
}

TEST_F(Changing, AnotherUidIsAnotherObject) {
  const std::string metadata =
      fmt::format(R"("name":"a","uid":"other","resourceVersion":"{}")", version());
  const HubAnswer updated = put(metadata, "");
  EXPECT_EQ(updated.status, 409);
  EXPECT_EQ(updated.at("/details/kind"), "foos");
  const HubAnswer patched = hub.merge(a, R"({"metadata":{"uid":"other"}})");
  EXPECT_EQ(patched.status, 422);
  EXPECT_EQ(patched.at("/details/causes/0/field"), "metadata.uid");
}

TEST_F(Changing, WhatChangesNothingIsNotWritten) {
  const store::Revision before = hub.revision();
  const HubAnswer same = hub.merge(a, R"({"spec":{"n":5}})");
  EXPECT_EQ(same.status, 200);
  EXPECT_EQ(same.body, hub.get(a).body);
  hub.advance(std::chrono::hours(1));
  EXPECT_EQ(
      put(fmt::format(R"("name":"a","resourceVersion":"{}")", version()), R"(,"spec":{"n":5})")
          .status,
      200);
  EXPECT_EQ(hub.revision(), before);
}

TEST_F(Changing, TheGenerationCountsChangesOfWhatIsWanted) {
  EXPECT_EQ(hub.merge(a, R"({"metadata":{"labels":{"x":"y"}}})").at("/metadata/generation"), "1");
  EXPECT_EQ(hub.merge(a, R"({"spec":{"n":6},"status":{"ready":true}})").at("/metadata/generation"),
            "2");
  EXPECT_EQ(hub.get(a).at("/status"), "");
  EXPECT_EQ(hub.merge(a + "/status", R"({"status":{"ready":true}})").at("/metadata/generation"),
            "2");
  EXPECT_EQ(hub.merge(a, R"({"metadata":{"generation":50}})").at("/metadata/generation"), "2");
}

TEST_F(Changing, TheStatusIsWrittenAlone) {
  const HubAnswer status = hub.merge(
      a + "/status", R"({"metadata":{"labels":{"x":"y"},"finalizers":["ex.io/f"]},"spec":{"n":9},)"
                     R"("status":{"ready":true}})");
  EXPECT_EQ(status.status, 200);
  EXPECT_EQ(status.at("/status"), R"({"ready":true})");
  EXPECT_EQ(status.at("/spec/n"), "5");
  EXPECT_EQ(status.at("/metadata/labels"), "");
  EXPECT_EQ(status.at("/metadata/finalizers"), "");
  EXPECT_EQ(status.at("/metadata/managedFields/1/subresource"), "status");
  const HubAnswer whole = put(fmt::format(R"("name":"a","resourceVersion":"{}")", version()),
                              R"(,"spec":{"n":6},"status":{"ready":false}})"
                              "}");
  EXPECT_EQ(hub.get(a).at("/status"), R"({"ready":true})") << whole.body;
}

TEST_F(Changing, APatchIsTriedAgainAfterAnotherWrite) {
  hub.before_next_commit([this] { hub.merge(a, R"({"spec":{"n":6}})"); });
  const HubAnswer patched = hub.merge(a, R"({"spec":{"color":"red"}})");
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(patched.at("/spec"), R"({"n":6,"s":"dflt","color":"red"})");
  EXPECT_EQ(patched.at("/metadata/generation"), "3");
}

TEST_F(Changing, AnUpdateThatWasSlowerConflicts) {
  const std::string metadata = fmt::format(R"("name":"a","resourceVersion":"{}")", version());
  hub.before_next_commit([this] { hub.merge(a, R"({"spec":{"n":6}})"); });
  EXPECT_EQ(put(metadata, R"(,"spec":{"n":7})").status, 409);
  EXPECT_EQ(hub.get(a).at("/spec/n"), "6");
}

TEST_F(Changing, ATrialChangesNothing) {
  const store::Revision before = hub.revision();
  const HubAnswer trial = hub.merge(a + "?dryRun=All", R"({"spec":{"n":6}})");
  EXPECT_EQ(trial.status, 200);
  EXPECT_EQ(trial.at("/spec/n"), "6");
  EXPECT_EQ(trial.at("/metadata/generation"), "2");
  EXPECT_EQ(trial.at("/metadata/resourceVersion"), made.at("/metadata/resourceVersion"));
  EXPECT_EQ(hub.revision(), before);
}

TEST_F(Changing, TheLastFinalizerTakesTheObjectWithIt) {
  hub.merge(a, R"({"metadata":{"finalizers":["ex.io/f","ex.io/g"]}})");
  hub.remove(a);
  const HubAnswer added =
      hub.merge(a, R"({"metadata":{"finalizers":["ex.io/f","ex.io/g","ex.io/h"]}})");
  EXPECT_EQ(added.status, 422);
  EXPECT_EQ(added.at("/details/causes/0/reason"), "FieldValueForbidden");
  EXPECT_EQ(added.at("/details/causes/0/field"), "metadata.finalizers");
  EXPECT_EQ(hub.merge(a, R"({"metadata":{"finalizers":["ex.io/g"]}})").status, 200);
  EXPECT_EQ(hub.get(a).status, 200);
  const auto stream = hub.watch(foos + "?resourceVersion=" + std::to_string(hub.revision()));
  const HubAnswer last = hub.merge(a, R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(last.status, 200);
  EXPECT_EQ(last.at("/metadata/resourceVersion"), std::to_string(hub.revision()));
  EXPECT_EQ(hub.get(a).status, 404);
  EXPECT_TRUE(testing::drained(*stream).starts_with(R"({"type":"DELETED")"));
}

TEST_F(Changing, OldFaultsAreToleratedNewOnesAreNot) {
  hub.merge(std::string(testing::kDefinitions) + "/foos.ex.io", R"({"spec":{"versions":[
      {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
       "properties":{"spec":{"type":"object","properties":{"n":{"type":"integer","minimum":6},
       "color":{"type":"string"}}}}}}}]}})");
  EXPECT_EQ(hub.merge(a, R"({"spec":{"color":"red"}})").status, 200);
  EXPECT_EQ(hub.merge(a, R"({"spec":{"n":4}})").status, 422);
  EXPECT_EQ(hub.merge(a, R"({"spec":{"n":6}})").status, 200);
}

TEST_F(Changing, AllVersionsShowTheSameObject) {
  const std::string old = "/apis/ex.io/v1alpha1/namespaces/team/foos/a";
  const HubAnswer patched = hub.merge(old, R"({"spec":{"n":8}})");
  EXPECT_EQ(patched.at("/apiVersion"), "ex.io/v1alpha1");
  EXPECT_EQ(hub.get(a).at("/apiVersion"), "ex.io/v1");
  EXPECT_EQ(hub.get(a).at("/spec/n"), "8");
}

}  // namespace
}  // namespace berth::apiserver
