#include "api/kinds/pod.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

Pod read(std::string_view text) { return Pod::from_json(json::parse(text).value()); }

TEST(Pod, IsReadFromJson) {
  const Pod pod = read(R"({
    "metadata": {"name": "web-1", "namespace": "shop", "uid": "u1",
                 "deletionTimestamp": "2026-11-15T22:00:00Z",
                 "ownerReferences": [{"kind": "ReplicaSet", "name": "web", "controller": true}]},
    "spec": {"nodeName": "n1", "schedulerName": "berth", "priority": 1000,
             "tolerations": [{"operator": "Exists"}]},
    "status": {"phase": "Running"}})");
  EXPECT_EQ(pod.key.text(), "shop/web-1");
  EXPECT_EQ(pod.uid, "u1");
  EXPECT_TRUE(pod.is_bound());
  EXPECT_EQ(pod.scheduler_name, "berth");
  EXPECT_EQ(pod.phase, PodPhase::Running);
  EXPECT_EQ(pod.priority, 1000);
  EXPECT_TRUE(pod.being_deleted);
  ASSERT_TRUE(pod.controller.has_value());
  EXPECT_EQ(pod.controller->name, "web");
  EXPECT_EQ(pod.tolerations.size(), 1U);
}

TEST(Pod, IsPendingUntilItSaysOtherwise) {
  const Pod pod = read("{}");
  EXPECT_EQ(pod.phase, PodPhase::Pending);
  EXPECT_FALSE(pod.is_bound());
  EXPECT_FALSE(pod.is_terminal());
  EXPECT_EQ(pod.priority, 0);
}

TEST(Pod, IsTerminalOnceItSucceededOrFailed) {
  EXPECT_TRUE(read(R"({"status": {"phase": "Succeeded"}})").is_terminal());
  EXPECT_TRUE(read(R"({"status": {"phase": "Failed"}})").is_terminal());
  EXPECT_FALSE(read(R"({"status": {"phase": "Running"}})").is_terminal());
  EXPECT_EQ(read(R"({"status": {"phase": "Odd"}})").phase, PodPhase::Unknown);
}

}  // namespace
}  // namespace berth::api
