#include "local/node_choice.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "local/testing/workloads.h"

namespace berth::local {
namespace {

NodeLoad node(std::string name, std::size_t pods) {
  NodeLoad load;
  load.node.name = std::move(name);
  load.node.ready = true;
  load.pods = pods;
  return load;
}

std::string choice(const std::vector<NodeLoad>& nodes, std::string_view spec = "{}") {
  json::Value pod = testing::pod("p", "Pending");
  pod["spec"] = testing::parsed(spec);
  const NodeLoad* chosen = choose_node(pod, nodes);
  return chosen ? chosen->node.name : "none";
}

TEST(NodeChoice, IsTheEmptiestNodeAndTheFirstAmongEquals) {
  EXPECT_EQ(choice({node("c", 1), node("b", 0), node("a", 1)}), "b");
  EXPECT_EQ(choice({node("c", 1), node("b", 2), node("a", 1)}), "a");
  EXPECT_EQ(choice({}), "none");
}

TEST(NodeChoice, PassesOverNodesThatTakeNoPods) {
  NodeLoad cordoned = node("a", 0);
  cordoned.node.unschedulable = true;
  NodeLoad lost = node("b", 0);
  lost.node.ready = false;
  NodeLoad going = node("c", 0);
  going.node.being_deleted = true;
  EXPECT_EQ(choice({cordoned, lost, going, node("d", 9)}), "d");
  EXPECT_EQ(choice({cordoned, node("d", 9)},
                   R"({"tolerations":[{"key":"node.kubernetes.io/unschedulable",
                                       "operator":"Exists","effect":"NoSchedule"}]})"),
            "a")
      << "it puts up with cordons";
}

TEST(NodeChoice, HeedsWhatAPodRequiresOfItsNode) {
  const std::vector<NodeLoad> nodes = {node("a", 0), node("b", 5)};
  EXPECT_EQ(choice(nodes, R"({"affinity":{"nodeAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
        {"matchFields":[{"key":"metadata.name","operator":"In","values":["b"]}]}]}}}})"),
            "b");
}

TEST(NodeChoice, HeedsTaintsAndSelectors) {
  NodeLoad tainted = node("a", 0);
  tainted.node.taints = {{.key = "gpu", .effect = api::TaintEffect::NoSchedule}};
  NodeLoad labelled = node("b", 5);
  labelled.node.labels = {{"disk", "ssd"}};
  const std::vector<NodeLoad> nodes = {tainted, labelled};
  EXPECT_EQ(choice(nodes), "b");
  EXPECT_EQ(choice(nodes, R"({"tolerations":[{"key":"gpu","operator":"Exists"}]})"), "a");
  EXPECT_EQ(choice(nodes, R"({"nodeSelector":{"disk":"ssd"},
                              "tolerations":[{"operator":"Exists"}]})"),
            "b");
  EXPECT_EQ(choice(nodes, R"({"nodeSelector":{"disk":"hdd"}})"), "none");
}

}  // namespace
}  // namespace berth::local
