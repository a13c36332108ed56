#include "local/stateful_set.h"

#include <gtest/gtest.h>

#include "api/metadata.h"
#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using json::Value;
using testing::kNow;
using testing::parsed;
using testing::pod;
using testing::pointers;
using testing::ready_pod;
using Names = std::vector<std::string>;

Value set_of(std::string_view spec) {
  Value set = parsed(R"({"apiVersion":"apps/v1","kind":"StatefulSet",
      "metadata":{"name":"db","namespace":"ns","uid":"u1"}})");
  set["spec"] = parsed(spec);
  set["spec"]["template"] = parsed(R"({"metadata":{"labels":{"app":"db"}},
      "spec":{"containers":[{"name":"c","image":"v1"}]}})");
  return set;
}

Names names(const std::vector<Value>& objects) {
  Names result;
  for (const Value& object : objects) result.emplace_back(api::Metadata(object).name());
  return result;
}

// As the set makes it, running.
Value member(const Value& set, std::string_view name, Value status_of) {
  const auto made = testing::created(plan_stateful_set(set, {}, kNow), Kind::Pods);
  status_of["metadata"] = made.at(0).find("metadata") ? *made[0].find("metadata") : Value();
  status_of["metadata"]["name"] = name;
  return status_of;
}

TEST(StatefulSets, CreateOnePodAfterTheOther) {
  const Value set = set_of(R"({"replicas":3})");
  EXPECT_EQ(names(testing::created(plan_stateful_set(set, {}, kNow), Kind::Pods)), Names{"db-0"});
  std::vector<Value> pods = {member(set, "db-0", pod("db-0", "Pending"))};
  EXPECT_TRUE(testing::created(plan_stateful_set(set, pointers(pods), kNow), Kind::Pods).empty());
  pods[0] = member(set, "db-0", ready_pod("db-0", kNow));
  EXPECT_EQ(names(testing::created(plan_stateful_set(set, pointers(pods), kNow), Kind::Pods)),
            Names{"db-1"});
}

TEST(StatefulSets, CreateAllAtOnceInParallel) {
  const Value set = set_of(R"({"replicas":3,"podManagementPolicy":"Parallel"})");
  EXPECT_EQ(names(testing::created(plan_stateful_set(set, {}, kNow), Kind::Pods)),
            (Names{"db-0", "db-1", "db-2"}));
}

TEST(StatefulSets, ShrinkFromTheHighestOn) {
  const Value set = set_of(R"({"replicas":1})");
  const std::vector<Value> pods = {member(set, "db-0", ready_pod("", kNow)),
                                   member(set, "db-1", ready_pod("", kNow)),
                                   member(set, "db-2", ready_pod("", kNow))};
  EXPECT_EQ(testing::removed(plan_stateful_set(set, pointers(pods), kNow), Kind::Pods),
            Names{"db-2"});
}

TEST(StatefulSets, ReplaceOldPodsOneByOneDownToThePartition) {
  const Value before = set_of(R"({"replicas":3})");
  std::vector<Value> pods = {member(before, "db-0", ready_pod("", kNow)),
                             member(before, "db-1", ready_pod("", kNow)),
                             member(before, "db-2", ready_pod("", kNow))};
  Value set = before;
  set["spec"]["template"]["spec"]["containers"] = parsed(R"([{"name":"c","image":"v2"}])");
  set["spec"]["updateStrategy"] = parsed(R"({"rollingUpdate":{"partition":2}})");
  EXPECT_EQ(testing::removed(plan_stateful_set(set, pointers(pods), kNow), Kind::Pods),
            Names{"db-2"});
  pods[2] = member(set, "db-2", ready_pod("", kNow));
  EXPECT_EQ(testing::removed(plan_stateful_set(set, pointers(pods), kNow), Kind::Pods), Names());
}

TEST(StatefulSets, ReplaceAPodThatEnded) {
  const Value set = set_of(R"({"replicas":1})");
  const std::vector<Value> pods = {member(set, "db-0", pod("", "Failed"))};
  EXPECT_EQ(testing::removed(plan_stateful_set(set, pointers(pods), kNow), Kind::Pods),
            Names{"db-0"});
}

}  // namespace
}  // namespace berth::local
