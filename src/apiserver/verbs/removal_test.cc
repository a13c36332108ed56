#include "apiserver/verbs/removal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

class Removing : public ::testing::Test {
 protected:
  Removing() {
    hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
    made = hub.post(foos, R"({"metadata":{"name":"a","labels":{"x":"1"}},"spec":{"n":5}})");
  }

  void make(std::string_view name, std::string_view labels) {
    hub.post(foos, fmt::format(R"({{"metadata":{{"name":"{}","labels":{}}}}})", name, labels));
  }

  TestHub hub;
  std::string foos{testing::kFoos};
  std::string a = foos + "/a";
  std::string pods = "/api/v1/namespaces/team/pods";
  HubAnswer made;
};

TEST_F(Removing, WhatNothingHoldsGoesAtOnce) {
  const HubAnswer gone = hub.remove(a, R"({"propagationPolicy":"Background"})");
  EXPECT_EQ(gone.status, 200);
  EXPECT_EQ(gone.at("/kind"), "Status");
  EXPECT_EQ(gone.at("/status"), "Success");
  EXPECT_EQ(gone.at("/details"),
            fmt::format(R"({{"name":"a","group":"ex.io","kind":"foos","uid":"{}"}})",
                        made.at("/metadata/uid")));
  EXPECT_EQ(hub.get(a).status, 404);
  const HubAnswer again = hub.remove(a);
  EXPECT_EQ(again.status, 404);
  EXPECT_EQ(again.at("/message"), "foos.ex.io \"a\" not found");
}

TEST_F(Removing, FinalizersKeepAnObjectThatIsMarkedOnce) {
  hub.merge(a, R"({"metadata":{"finalizers":["ex.io/f"]}})");
  const HubAnswer marked = hub.remove(a);
  EXPECT_EQ(marked.status, 200);
  EXPECT_EQ(marked.at("/kind"), "Foo");
  EXPECT_EQ(marked.at("/metadata/deletionTimestamp"), "2026-01-02T03:04:05Z");
  EXPECT_EQ(marked.at("/metadata/deletionGracePeriodSeconds"), "0");
  EXPECT_EQ(marked.at("/metadata/generation"), "2");
  hub.advance(std::chrono::minutes(1));
  const store::Revision before = hub.revision();
  EXPECT_EQ(hub.remove(a).body, marked.body);
  EXPECT_EQ(hub.revision(), before);
}

TEST_F(Removing, PreconditionsHaveToHold) {
  const HubAnswer uid = hub.remove(a, R"({"preconditions":{"uid":"other"}})");
  EXPECT_EQ(uid.status, 409);
  EXPECT_EQ(uid.at("/reason"), "Conflict");
  EXPECT_EQ(hub.remove(a, R"({"preconditions":{"resourceVersion":"1"}})").status, 409);
  const std::string right =
      fmt::format(R"({{"preconditions":{{"uid":"{}","resourceVersion":"{}"}}}})",
                  made.at("/metadata/uid"), made.at("/metadata/resourceVersion"));
  hub.before_next_commit([this] { hub.merge(a, R"({"spec":{"n":6}})"); });
  EXPECT_EQ(hub.remove(a, right).status, 409);
  EXPECT_EQ(hub.get(a).status, 200);
}

TEST_F(Removing, ADeletionWithoutConditionsMeansWhateverIsThere) {
  hub.before_next_commit([this] { hub.merge(a, R"({"spec":{"n":6}})"); });
  EXPECT_EQ(hub.remove(a).status, 200);
  EXPECT_EQ(hub.get(a).status, 404);
}

TEST_F(Removing, OneOfTwoDeletionsFindsNothing) {
  hub.before_next_commit([this] { hub.remove(a); });
  EXPECT_EQ(hub.remove(a).status, 404);
}

TEST_F(Removing, ThePolicyBecomesAFinalizer) {
  const HubAnswer foreground = hub.remove(a, R"({"propagationPolicy":"Foreground"})");
  EXPECT_EQ(foreground.at("/metadata/finalizers"), R"(["foregroundDeletion"])");
  const HubAnswer orphan = hub.remove(a, R"({"propagationPolicy":"Orphan"})");
  EXPECT_EQ(orphan.at("/metadata/finalizers"), R"(["orphan"])");
  EXPECT_EQ(hub.remove(a, R"({"propagationPolicy":"Background"})").status, 200);
  EXPECT_EQ(hub.get(a).status, 404);
}

TEST_F(Removing, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_EQ(hub.remove(a, R"({"propagationPolicy":"Sideways"})").status, 422);
  EXPECT_EQ(hub.remove(a, R"({"orphanDependents":true,"propagationPolicy":"Orphan"})").status, 422);
  EXPECT_EQ(hub.remove(a, R"({"dryRun":["Some"]})").status, 422);
  EXPECT_EQ(hub.remove(a, "{").status, 400);
  EXPECT_EQ(hub.get(a).status, 200);
}

TEST_F(Removing, ATrialTellsHowItWouldEnd) {
  const store::Revision before = hub.revision();
  EXPECT_EQ(hub.remove(a + "?dryRun=All").at("/status"), "Success");
  EXPECT_EQ(hub.remove(a, R"({"dryRun":["All"],"propagationPolicy":"Foreground"})")
                .at("/metadata/finalizers"),
            R"(["foregroundDeletion"])");
  EXPECT_EQ(hub.revision(), before);
}

TEST_F(Removing, SelectedObjectsGoTogether) {
  make("b", R"({"x":"1"})");
  make("c", R"({"x":"2"})");
  const HubAnswer trial = hub.remove(foos + "?labelSelector=x%3D1&dryRun=All");
  EXPECT_EQ(trial.json().find("items")->size(), 2);
  const HubAnswer gone = hub.remove(foos + "?labelSelector=x%3D1");
  EXPECT_EQ(gone.status, 200);
  EXPECT_EQ(gone.at("/kind"), "FooList");
  EXPECT_EQ(gone.at("/items/0/metadata/name"), "a");
  EXPECT_EQ(gone.at("/items/1/metadata/name"), "b");
  EXPECT_EQ(hub.get(foos).json().find("items")->size(), 1);
  EXPECT_EQ(hub.remove(foos + "?labelSelector=x%3D1").status, 200);
  EXPECT_EQ(hub.remove(foos + "?fieldSelector=metadata.name%3Dc").status, 200);
  EXPECT_EQ(hub.get(foos).json().find("items")->size(), 0);
  EXPECT_EQ(hub.remove(foos + "?labelSelector=((").status, 400);
}

TEST_F(Removing, NoMoreThanTheLimitGoAtOnce) {
  make("b", R"({"x":"1"})");
  make("c", R"({"x":"1"})");
  const HubAnswer first = hub.remove(foos + "?limit=2");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.at("/items/1/metadata/name"), "b");
  EXPECT_EQ(first.at("/items/2"), "");
  EXPECT_EQ(hub.get(foos).at("/items/0/metadata/name"), "c");
  const HubAnswer rest = hub.remove(foos + "?limit=2&continue=" + first.at("/metadata/continue"));
  EXPECT_EQ(rest.at("/items/0/metadata/name"), "c");
  EXPECT_EQ(rest.at("/metadata/continue"), "");
  EXPECT_EQ(hub.get(foos).at("/items"), "[]");
}

TEST_F(Removing, ACollectionThatChangesMeanwhileStillGoes) {
  make("b", "{}");
  hub.before_next_commit([this] {
    hub.remove(foos + "/b");
    make("c", "{}");
  });
  EXPECT_EQ(hub.remove(foos).status, 200);
  EXPECT_EQ(hub.get(foos).json().find("items")->size(), 0);
}

TEST_F(Removing, TheNamespacesOfTheSystemStay) {
  for (const char* name : {"default", "kube-system"}) {
    const HubAnswer refused = hub.remove(std::string("/api/v1/namespaces/") + name);
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(refused.at("/message"), fmt::format("namespaces \"{}\" is forbidden: this namespace "
                                                  "may not be deleted",
                                                  name));
  }
}

TEST_F(Removing, ARunningPodIsGivenTimeThatOnlyShrinks) {
  const std::string spec = R"("spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]})";
  hub.post(pods, R"({"metadata":{"name":"p"},)" + spec + "}");
  const HubAnswer first = hub.remove(pods + "/p");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.at("/metadata/deletionGracePeriodSeconds"), "30");
  EXPECT_EQ(first.at("/metadata/deletionTimestamp"), "2026-01-02T03:04:35Z");
  const HubAnswer longer = hub.remove(pods + "/p", R"({"gracePeriodSeconds":60})");
  EXPECT_EQ(longer.at("/metadata/deletionGracePeriodSeconds"), "30");
  const HubAnswer shorter = hub.remove(pods + "/p", R"({"gracePeriodSeconds":5})");
  EXPECT_EQ(shorter.at("/metadata/deletionGracePeriodSeconds"), "5");
  EXPECT_EQ(shorter.at("/metadata/deletionTimestamp"), "2026-01-02T03:04:10Z");
  const HubAnswer last = hub.remove(pods + "/p", R"({"gracePeriodSeconds":0})");
  EXPECT_EQ(last.status, 200);
  EXPECT_EQ(last.at("/kind"), "Pod");
  EXPECT_EQ(hub.get(pods + "/p").status, 404);
}

TEST_F(Removing, WhoeverSaysNothingAboutTheTimeOfAPodThatStopsLeavesItAsItIs) {
  const std::string spec = R"("spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]})";
  hub.post(pods, R"({"metadata":{"name":"p"},)" + spec + "}");
  hub.remove(pods + "/p", R"({"gracePeriodSeconds":60})");
  EXPECT_EQ(hub.remove(pods + "/p").at("/metadata/deletionGracePeriodSeconds"), "60");
}

TEST_F(Removing, APodOnNoNodeGoesAtOnce) {
  hub.post(pods, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  EXPECT_EQ(hub.remove(pods + "/p").at("/kind"), "Pod");
  EXPECT_EQ(hub.get(pods + "/p").status, 404);
}

TEST_F(Removing, EventsKeepTheirFormWhicheverKindDeletesThem) {
  const std::string core = "/api/v1/namespaces/team/events";
  hub.post(core, R"({"metadata":{"name":"e","finalizers":["ex.io/f"]},"message":"hello",
                     "involvedObject":{"namespace":"team","name":"x","kind":"Pod"}})");
  const HubAnswer marked = hub.remove("/apis/events.k8s.io/v1/namespaces/team/events/e");
  EXPECT_EQ(marked.at("/note"), "hello");
  EXPECT_EQ(marked.at("/apiVersion"), "events.k8s.io/v1");
  EXPECT_EQ(hub.get(core + "/e").at("/message"), "hello");
}

}  // namespace
}  // namespace berth::apiserver
