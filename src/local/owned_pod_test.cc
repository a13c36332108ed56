#include "local/owned_pod.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/metadata.h"
#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using json::Value;
using testing::parsed;
using testing::pod;

const Value kSet = parsed(R"({"apiVersion":"apps/v1","kind":"ReplicaSet",
    "metadata":{"name":"web","namespace":"ns","uid":"u1"},
    "spec":{"template":{"metadata":{"labels":{"app":"web"},"annotations":{"a":"b"}},
                        "spec":{"containers":[{"name":"c","image":"i"}]}}}})");

TEST(PodsOfAnOwner, ComeFromTheTemplateAndNameTheirController) {
  EXPECT_EQ(pod_with_made_up_name(kSet), parsed(R"({"apiVersion":"v1","kind":"Pod",
      "metadata":{"generateName":"web-","namespace":"ns","labels":{"app":"web"},
        "annotations":{"a":"b"},
        "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u1",
                            "controller":true,"blockOwnerDeletion":true}]},
      "spec":{"containers":[{"name":"c","image":"i"}]}})"));
  EXPECT_EQ(api::Metadata(pod_named(kSet, "web-0")).name(), "web-0");
}

TEST(PodsOfAnOwner, AreActiveUntilTheyEndOrGo) {
  EXPECT_TRUE(OwnedPod::of(pod("a", "Pending")).is_active);
  EXPECT_TRUE(OwnedPod::of(pod("a", "Running")).is_active);
  EXPECT_FALSE(OwnedPod::of(pod("a", "Succeeded")).is_active);
  EXPECT_FALSE(OwnedPod::of(pod("a", "Failed")).is_active);
  Value going = pod("a", "Running");
  going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_FALSE(OwnedPod::of(going).is_active);
}

TEST(PodsOfAnOwner, AreAvailableWhenReadyForLongEnough) {
  using namespace std::chrono_literals;
  const Value object = testing::ready_pod("a", testing::kNow);
  const OwnedPod ready = OwnedPod::of(object);
  EXPECT_TRUE(ready.is_available(testing::kNow, 0s));
  EXPECT_FALSE(ready.is_available(testing::kNow + 9s, 10s));
  EXPECT_TRUE(ready.becomes_available_after(testing::kNow + 9s, 10s));
  EXPECT_TRUE(ready.is_available(testing::kNow + 10s, 10s));
}

TEST(PodsOfAnOwner, GoInTheOrderInWhichTheyAreMissedLeast) {
  const Value unbound = pod("a", "Pending");
  Value bound = pod("b", "Pending");
  bound["spec"]["nodeName"] = "n";
  Value running = pod("c", "Running");
  running["spec"]["nodeName"] = "n";
  const Value ready = testing::ready_pod("d", testing::kNow);
  Value dear = testing::ready_pod("e", testing::kNow);
  dear["metadata"]["annotations"]["controller.kubernetes.io/pod-deletion-cost"] = "10";
  const Value older = testing::ready_pod("f", testing::kNow - std::chrono::hours(1));
  const Value* all[] = {&dear, &older, &ready, &running, &bound, &unbound};
  std::vector<OwnedPod> pods = owned_pods(all);
  std::ranges::sort(pods, goes_first);
  std::string order;
  for (const OwnedPod& owned : pods) order += api::Metadata(*owned.object).name();
  EXPECT_EQ(order, "abcdfe");
}

}  // namespace
}  // namespace berth::local
