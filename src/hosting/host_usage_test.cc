#include "hosting/host_usage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::hosting {
namespace {

json::Value node(std::string_view name, std::string_view spec = "{}",
                 std::string_view ready = "True") {
  return json::read_one_yaml(
             fmt::format(
                 "{{metadata: {{name: {}}}, spec: {}, status: {{allocatable: {{cpu: '8', memory: "
                 "32G, pods: '250'}}, conditions: [{{type: Ready, status: '{}'}}]}}}}",
                 name, spec, ready))
      .value();
}

json::Value pod(std::string_view name, std::string_view on, std::string_view phase = "Running",
                std::string_view cpu = "1") {
  return json::read_one_yaml(
             fmt::format("{{metadata: {{name: {}, namespace: clusters-a}}, spec: {{nodeName: '{}', "
                         "containers: [{{name: c, resources: {{requests: {{cpu: '{}', memory: "
                         "2G}}}}}}]}}, status: {{phase: {}}}}}",
                         name, on, cpu, phase))
      .value();
}

TEST(HostUsage, APodTakesRoomFromWhenItIsBoundUntilItHasEnded) {
  HostUsage usage;
  ASSERT_TRUE(usage.put_node(node("n1")).ok());
  EXPECT_EQ(usage.capacity(), Amounts(8'000, 32'000'000'000, 250));
  ASSERT_TRUE(usage.put_pod(pod("p", "")).ok());
  EXPECT_EQ(usage.free(), usage.capacity());
  ASSERT_TRUE(usage.put_pod(pod("p", "n1")).ok());
  EXPECT_EQ(usage.free(), Amounts(7'000, 30'000'000'000, 249));
  ASSERT_TRUE(usage.put_pod(pod("p", "n1", "Running", "3")).ok()) << "it was resized";
  EXPECT_EQ(usage.free(), Amounts(5'000, 30'000'000'000, 249));
  ASSERT_TRUE(usage.put_pod(pod("p", "n1", "Succeeded")).ok());
  EXPECT_EQ(usage.free(), usage.capacity());
}

TEST(HostUsage, CountsOnlyNodesWhereControlPlanesCanStart) {
  struct Case {
    std::string_view what;
    json::Value node;
    bool counts;
  };
  const Case cases[] = {
      {"plain", node("n1"), true},
      {"not ready", node("n1", "{}", "False"), false},
      {"cordoned", node("n1", "{unschedulable: true}"), false},
      {"tainted", node("n1", "{taints: [{key: gpu, effect: NoSchedule}]}"), false},
      {"disliked", node("n1", "{taints: [{key: gpu, effect: PreferNoSchedule}]}"), true},
      {"for control planes",
       node("n1",
            "{taints: [{key: hypershift.openshift.io/control-plane, value: 'true', effect: "
            "NoSchedule}]}"),
       true},
  };
  for (const Case& c : cases) {
    HostUsage usage;
    ASSERT_TRUE(usage.put_node(node("n1")).ok());
    ASSERT_TRUE(usage.put_node(c.node).ok());
    EXPECT_EQ(usage.capacity()[Resource::Pods], c.counts ? 250 : 0) << c.what;
  }
}

TEST(HostUsage, ANodeThatIsOverfullTakesNothingFromAnother) {
  HostUsage usage;
  ASSERT_TRUE(usage.put_pod(pod("p", "a", "Running", "20")).ok()) << "before its node is known";
  ASSERT_TRUE(usage.put_node(node("a")).ok());
  ASSERT_TRUE(usage.put_node(node("b")).ok());
  EXPECT_EQ(usage.free()[Resource::Cpu], 8'000);
  usage.remove_pod({"clusters-a", "p"});
  EXPECT_EQ(usage.free()[Resource::Cpu], 16'000);
  usage.remove_node("a");
  EXPECT_EQ(usage.free()[Resource::Cpu], 8'000);
}

TEST(HostUsage, WhatCannotBeReadDoesNotCount) {
  HostUsage usage;
  ASSERT_TRUE(usage.put_node(node("n1")).ok());
  EXPECT_FALSE(usage.put_pod(pod("p", "n1", "Running", "much")).ok());
  EXPECT_EQ(usage.free(), usage.capacity());
  usage.clear_nodes();
  EXPECT_EQ(usage.capacity(), Amounts());
}

}  // namespace
}  // namespace berth::hosting
