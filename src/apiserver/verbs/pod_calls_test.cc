#include "apiserver/verbs/pod_calls.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

class PodCalls : public ::testing::Test {
 protected:
  PodCalls() {
    made = hub.post(pods, R"({"metadata":{"name":"p","labels":{"app":"web"}},
                              "spec":{"containers":[{"name":"c","image":"i"}]}})");
  }

  HubAnswer bind(std::string_view metadata = R"("name":"p")") {
    return hub.post(p + "/binding", fmt::format(R"({{"metadata":{{{}}},"target":{{"kind":"Node",)"
                                                R"("name":"n1"}}}})",
                                                metadata));
  }
  void add_budget(int allowed) {
    const std::string budgets = "/apis/policy/v1/namespaces/team/poddisruptionbudgets";
    hub.post(budgets, R"({"metadata":{"name":"b"},"spec":{"minAvailable":1,
                          "selector":{"matchLabels":{"app":"web"}}}})");
    hub.merge(budgets + "/b/status",
              fmt::format(R"({{"status":{{"observedGeneration":1,"disruptionsAllowed":{},)"
                          R"("currentHealthy":2,"desiredHealthy":1,"expectedPods":2}}}})",
                          allowed));
  }
  HubAnswer evict(std::string_view options = "{}") {
    return hub.post(p + "/eviction",
                    fmt::format(R"({{"apiVersion":"policy/v1","kind":"Eviction",)"
                                R"("metadata":{{"name":"p"}},"deleteOptions":{}}})",
                                options));
  }

  TestHub hub;
  std::string pods = "/api/v1/namespaces/team/pods";
  std::string p = pods + "/p";
  HubAnswer made;
};

TEST_F(PodCalls, ABindingGivesThePodItsNodeOnce) {
  const HubAnswer bound = bind(R"("name":"p","annotations":{"why":"because"})");
  EXPECT_EQ(bound.status, 201);
  EXPECT_EQ(bound.at("/kind"), "Status");
  EXPECT_EQ(bound.at("/status"), "Success");
  const HubAnswer pod = hub.get(p);
  EXPECT_EQ(pod.at("/spec/nodeName"), "n1");
  EXPECT_EQ(pod.at("/metadata/annotations/why"), "because");
  const HubAnswer again = bind();
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.at("/reason"), "Conflict");
}

TEST_F(PodCalls, ABindingMayInsistOnThePodItMeans) {
  EXPECT_EQ(bind(R"("name":"p","uid":"other")").status, 409);
  EXPECT_EQ(hub.get(p).at("/spec/nodeName"), "");
  EXPECT_EQ(bind(fmt::format(R"("name":"p","uid":"{}")", made.at("/metadata/uid"))).status, 201);
}

TEST_F(PodCalls, TheOldResourceOfBindingsWorksToo) {
  const HubAnswer bound =
      hub.post("/api/v1/namespaces/team/bindings",
               R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n1"}})");
  EXPECT_EQ(bound.status, 201);
  EXPECT_EQ(hub.get(p).at("/spec/nodeName"), "n1");
  const HubAnswer missing =
      hub.post("/api/v1/namespaces/team/bindings",
               R"({"metadata":{"name":"none"},"target":{"kind":"Node","name":"n1"}})");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.at("/details/kind"), "pods");
}

TEST_F(PodCalls, OfTwoSchedulersOneBinds) {
  hub.before_next_commit([this] {
    hub.post(p + "/binding", R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n2"}})");
  });
  EXPECT_EQ(bind().status, 409);
  EXPECT_EQ(hub.get(p).at("/spec/nodeName"), "n2");
}

TEST_F(PodCalls, ATrialBindsNothing) {
  const HubAnswer trial =
      hub.post(p + "/binding?dryRun=All",
               R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n1"}})");
  EXPECT_EQ(trial.status, 201);
  EXPECT_EQ(hub.get(p).at("/spec/nodeName"), "");
}

TEST_F(PodCalls, AnEvictionIsADeletion) {
  EXPECT_EQ(evict().status, 201);
  EXPECT_EQ(hub.get(p).status, 404);
  EXPECT_EQ(evict().status, 404);
}

TEST_F(PodCalls, AnEvictedPodThatRunsSaysWhyItGoes) {
  bind();
  EXPECT_EQ(evict(R"({"gracePeriodSeconds":7})").status, 201);
  const HubAnswer pod = hub.get(p);
  EXPECT_EQ(pod.at("/metadata/deletionGracePeriodSeconds"), "7");
  EXPECT_TRUE(pod.at("/status/conditions").contains("DisruptionTarget"));
}

TEST_F(PodCalls, ABudgetWithNothingLeftSaysLater) {
  bind();
  hub.merge(p + "/status", R"({"status":{"phase":"Running",
      "conditions":[{"type":"Ready","status":"True"}]}})");
  add_budget(0);
  const HubAnswer refused = evict();
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.at("/reason"), "TooManyRequests");
  EXPECT_EQ(refused.at("/details/causes/0/reason"), "DisruptionBudget");
  EXPECT_EQ(hub.get(p).at("/metadata/deletionTimestamp"), "");
}

TEST_F(PodCalls, AnEvictionIsPaidFromTheBudget) {
  bind();
  hub.merge(p + "/status", R"({"status":{"phase":"Running",
      "conditions":[{"type":"Ready","status":"True"}]}})");
  add_budget(1);
  EXPECT_EQ(evict().status, 201);
  const HubAnswer budget = hub.get("/apis/policy/v1/namespaces/team/poddisruptionbudgets/b");
  EXPECT_EQ(budget.at("/status/disruptionsAllowed"), "0");
  EXPECT_NE(budget.at("/status/disruptedPods/p"), "");
  EXPECT_NE(hub.get(p).at("/metadata/deletionTimestamp"), "");
}

TEST_F(PodCalls, AnEvictionThatMeetsAnotherWritePaysOnce) {
  bind();
  hub.merge(p + "/status", R"({"status":{"phase":"Running",
      "conditions":[{"type":"Ready","status":"True"}]}})");
  add_budget(2);
  hub.before_next_commit([this] {
    // After the budget has paid, before the pod is marked.
    hub.before_next_commit([this] { hub.merge(p, R"({"metadata":{"labels":{"busy":"1"}}})"); });
  });
  EXPECT_EQ(evict().status, 201);
  EXPECT_NE(hub.get(p).at("/metadata/deletionTimestamp"), "");
  EXPECT_EQ(hub.get(p).at("/metadata/labels/busy"), "1");
  EXPECT_EQ(hub.get("/apis/policy/v1/namespaces/team/poddisruptionbudgets/b")
                .at("/status/disruptionsAllowed"),
            "1");
}

TEST_F(PodCalls, AnEvictionOfAnotherPodOfThatNameIsRefused) {
  EXPECT_EQ(evict(R"({"preconditions":{"uid":"other"}})").status, 409);
  EXPECT_EQ(hub.get(p).status, 200);
  EXPECT_EQ(evict(R"({"dryRun":["All"]})").status, 201);
  EXPECT_EQ(hub.get(p).status, 200);
}

}  // namespace
}  // namespace berth::apiserver
