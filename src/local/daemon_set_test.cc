#include "local/daemon_set.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "local/node_wish.h"
#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using json::Value;
using testing::kNow;
using testing::parsed;
using testing::pointers;
using Names = std::vector<std::string>;

Value set_of(std::string_view spec, std::string_view image = "v1") {
  Value set = parsed(R"({"apiVersion":"apps/v1","kind":"DaemonSet",
      "metadata":{"name":"log","namespace":"ns","uid":"u1","generation":4}})");
  set["spec"] = parsed(spec);
  set["spec"]["template"]["metadata"]["labels"]["app"] = "log";
  set["spec"]["template"]["spec"]["containers"] =
      Value::array({Value::object({{"name", "c"}, {"image", image}})});
  return set;
}

std::vector<api::Node> nodes_called(const Names& names) {
  std::vector<api::Node> nodes;
  for (const std::string& name : names) {
    api::Node node;
    node.name = name;
    node.ready = true;
    nodes.push_back(std::move(node));
  }
  return nodes;
}

const std::vector<api::Node> kThree = nodes_called({"a", "b", "c"});

WorkloadPlan plan_of(const Value& set, const std::vector<Value>& pods,
                     const std::vector<api::Node>& nodes = kThree) {
  return plan_daemon_set(set, pointers(pods), nodes, kNow);
}

// Where the plan puts new pods.
Names posted(const WorkloadPlan& plan) {
  Names nodes;
  for (const Value& pod : testing::created(plan, Kind::Pods)) nodes.push_back(pin_of(pod));
  return nodes;
}

// As the set makes it for that node, with that status; called after both.
Value daemon(const Value& set, const std::string& node, Value status_of) {
  const auto made = testing::created(plan_of(set, {}, nodes_called({node})), Kind::Pods);
  Value pod = made.at(0);
  pod["metadata"]["name"] = fmt::format("log-{}", node);
  pod["spec"]["nodeName"] = node;
  pod["status"] = api::field(status_of, "status");
  return pod;
}

Value running(const Value& set, const std::string& node) {
  return daemon(set, node, testing::ready_pod("", kNow - 1h));
}

std::vector<Value> running_on_all(const Value& set) {
  return {running(set, "a"), running(set, "b"), running(set, "c")};
}

TEST(DaemonSets, PutOnePodOnEveryNode) {
  const Value set = set_of("{}");
  const WorkloadPlan plan = plan_of(set, {});
  EXPECT_EQ(posted(plan), (Names{"a", "b", "c"}));
  const Value pod = testing::created(plan, Kind::Pods).at(0);
  EXPECT_EQ(api::Metadata(pod).controller()->kind, "DaemonSet");
  EXPECT_EQ(posted(plan_of(set, {running(set, "a"), running(set, "c")})), Names{"b"});
  EXPECT_TRUE(testing::created(plan_of(set, running_on_all(set)), Kind::Pods).empty());
}

TEST(DaemonSets, PassOverNodesThatTheyDoNotWantOrThatDoNotTakeThem) {
  std::vector<api::Node> nodes = kThree;
  nodes[0].labels = {{"disk", "ssd"}};
  nodes[1].labels = {{"disk", "ssd"}};
  nodes[1].taints = {{.key = "gpu", .effect = api::TaintEffect::NoSchedule}};
  const Value set = set_of(R"({"template":{"spec":{"nodeSelector":{"disk":"ssd"}}}})");
  EXPECT_EQ(posted(plan_of(set, {}, nodes)), Names{"a"});
}

TEST(DaemonSets, StayWithNodesInTrouble) {
  std::vector<api::Node> nodes = nodes_called({"a", "b"});
  nodes[0].ready = false;
  nodes[0].taints = {
      {.key = "node.kubernetes.io/not-ready", .effect = api::TaintEffect::NoExecute}};
  nodes[1].unschedulable = true;
  nodes[1].taints = {
      {.key = "node.kubernetes.io/unschedulable", .effect = api::TaintEffect::NoSchedule}};
  EXPECT_EQ(posted(plan_of(set_of("{}"), {}, nodes)), (Names{"a", "b"}));
}

TEST(DaemonSets, LeaveNodesThatAreGoneOrThrowThemOut) {
  const Value set = set_of("{}");
  std::vector<api::Node> nodes = nodes_called({"a", "b"});
  nodes[0].taints = {{.key = "gpu", .effect = api::TaintEffect::NoSchedule}};
  nodes[1].taints = {{.key = "gpu", .effect = api::TaintEffect::NoExecute}};
  const WorkloadPlan plan = plan_of(set, running_on_all(set), nodes);
  EXPECT_EQ(testing::removed(plan, Kind::Pods), (Names{"log-b", "log-c"}));
  EXPECT_TRUE(posted(plan).empty());
  EXPECT_EQ(*testing::after(plan, Kind::DaemonSets).find_path({"status", "numberMisscheduled"}),
            Value(1));
}

TEST(DaemonSets, KeepTheOldestOfTwoOnOneNode) {
  const Value set = set_of("{}");
  std::vector<Value> pods = {running(set, "a"), running(set, "a")};
  pods[0]["metadata"]["name"] = "young";
  pods[0]["metadata"]["creationTimestamp"] = "2026-01-02T00:00:00Z";
  pods[1]["metadata"]["name"] = "old";
  pods[1]["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_EQ(testing::removed(plan_of(set, pods), Kind::Pods), Names{"young"});
}

TEST(DaemonSets, ReplaceAPodThatEndedOnceItIsGone) {
  const Value set = set_of("{}");
  std::vector<Value> pods = running_on_all(set);
  pods[1]["status"]["phase"] = "Failed";
  const WorkloadPlan first = plan_of(set, pods);
  EXPECT_EQ(testing::removed(first, Kind::Pods), Names{"log-b"});
  EXPECT_TRUE(posted(first).empty()) << "both would want the same ports";
  pods[1]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_TRUE(posted(plan_of(set, pods)).empty());
  pods.erase(pods.begin() + 1);
  EXPECT_EQ(posted(plan_of(set, pods)), Names{"b"});
}

TEST(DaemonSets, ReplaceOldPodsNoMoreAtATimeThanMayBeMissing) {
  struct Case {
    std::string_view strategy;
    Names removed;
  };
  const Case cases[] = {
      {"{}", {"log-a"}},
      {R"({"rollingUpdate":{"maxUnavailable":2}})", {"log-a", "log-b"}},
      {R"({"rollingUpdate":{"maxUnavailable":"34%"}})", {"log-a", "log-b"}},
      {R"({"rollingUpdate":{"maxUnavailable":9}})", {"log-a", "log-b", "log-c"}},
      {R"({"type":"OnDelete"})", {}},
  };
  for (const Case& each : cases) {
    Value set = set_of("{}", "v2");
    set["spec"]["updateStrategy"] = parsed(each.strategy);
    const WorkloadPlan plan = plan_of(set, running_on_all(set_of("{}", "v1")));
    EXPECT_EQ(testing::removed(plan, Kind::Pods), each.removed) << each.strategy;
    EXPECT_TRUE(posted(plan).empty());
  }
}

TEST(DaemonSets, CountThoseThatAreMissingAlready) {
  const Value old = set_of("{}", "v1");
  const Value set = set_of("{}", "v2");
  std::vector<Value> pods = running_on_all(old);
  pods[2] = daemon(set, "c", testing::pod("", "Pending"));
  EXPECT_TRUE(testing::removed(plan_of(set, pods), Kind::Pods).empty());
  pods[2] = running(set, "c");
  EXPECT_EQ(testing::removed(plan_of(set, pods), Kind::Pods), Names{"log-a"});
  pods[1] = daemon(old, "b", testing::pod("", "Pending"));
  EXPECT_EQ(testing::removed(plan_of(set, pods), Kind::Pods), Names{"log-b"})
      << "an old one that does not work is not waited for, and counts";
}

TEST(DaemonSets, BringNewPodsFirstWhereTheyMaySurge) {
  const Value old = set_of("{}", "v1");
  Value set = set_of("{}", "v2");
  set["spec"]["updateStrategy"] = parsed(R"({"rollingUpdate":{"maxSurge":1,"maxUnavailable":0}})");
  std::vector<Value> pods = running_on_all(old);
  const WorkloadPlan first = plan_of(set, pods);
  EXPECT_EQ(posted(first), Names{"a"});
  EXPECT_TRUE(testing::removed(first, Kind::Pods).empty());

  pods.push_back(daemon(set, "a", testing::pod("", "Pending")));
  pods.back()["metadata"]["name"] = "new";
  const WorkloadPlan waiting = plan_of(set, pods);
  EXPECT_TRUE(posted(waiting).empty());
  EXPECT_TRUE(testing::removed(waiting, Kind::Pods).empty());

  pods.back() = running(set, "a");
  pods.back()["metadata"]["name"] = "new";
  const WorkloadPlan next = plan_of(set, pods);
  EXPECT_EQ(posted(next), Names{"b"});
  EXPECT_EQ(testing::removed(next, Kind::Pods), Names{"log-a"});
}

TEST(DaemonSets, TellHowManyNodesAreServed) {
  const Value old = set_of("{}", "v1");
  const Value set = set_of("{}", "v2");
  const std::vector<Value> pods = {running(set, "a"), running(old, "b")};
  EXPECT_EQ(*testing::after(plan_of(set, pods), Kind::DaemonSets).find("status"),
            parsed(R"({"observedGeneration":4,"desiredNumberScheduled":3,
                       "currentNumberScheduled":2,"numberMisscheduled":0,"numberReady":2,
                       "numberAvailable":2,"numberUnavailable":1,"updatedNumberScheduled":1})"));
}

TEST(DaemonSets, LookAgainWhenAPodHasBeenReadyForLongEnough) {
  const Value set = set_of(R"({"minReadySeconds":30})");
  const std::vector<Value> pods = {daemon(set, "a", testing::ready_pod("", kNow - 10s))};
  const WorkloadPlan plan = plan_of(set, pods, nodes_called({"a"}));
  EXPECT_EQ(*testing::after(plan, Kind::DaemonSets).find_path({"status", "numberAvailable"}),
            Value(0));
  EXPECT_EQ(plan.again, kNow + 20s);
}

TEST(DaemonSets, LeaveTheirPodsAloneWhenTheyGo) {
  Value set = set_of("{}", "v2");
  set["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  const WorkloadPlan plan = plan_of(set, {running(set_of("{}", "v1"), "a")});
  EXPECT_TRUE(posted(plan).empty());
  EXPECT_TRUE(testing::removed(plan, Kind::Pods).empty());
}

TEST(DaemonSets, ChangeNothingWhenAllIsAsItShouldBe) {
  Value set = set_of("{}");
  const std::vector<Value> pods = running_on_all(set);
  set = testing::after(plan_of(set, pods), Kind::DaemonSets);
  EXPECT_TRUE(plan_of(set, pods).changes.empty());
}

}  // namespace
}  // namespace berth::local
