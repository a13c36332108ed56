#include "api/kinds/node.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

Result<Node> read(std::string_view text) { return Node::from_json(json::parse(text).value()); }

TEST(Node, IsReadFromJson) {
  const Node node = read(R"({
    "metadata": {"name": "n1", "labels": {"zone": "b", "arch": "arm64"}},
    "spec": {"unschedulable": true, "taints": [{"key": "a", "effect": "NoSchedule"}]},
    "status": {"capacity": {"cpu": "8"}, "allocatable": {"cpu": "7800m", "pods": "110"},
               "conditions": [{"type": "Ready", "status": "True"}]}})")
                        .value();
  EXPECT_EQ(node.name, "n1");
  EXPECT_EQ(node.labels, (std::vector<Label>{{"arch", "arm64"}, {"zone", "b"}}));
  EXPECT_TRUE(node.unschedulable);
  EXPECT_TRUE(node.ready);
  EXPECT_FALSE(node.being_deleted);
  ASSERT_EQ(node.taints.size(), 1U);
  EXPECT_EQ(node.taints[0].effect, TaintEffect::NoSchedule);
  EXPECT_EQ(node.capacity.amount("cpu").value(), 8);
  EXPECT_EQ(node.allocatable.amount("cpu").milli_value(), 7800);
}

TEST(Node, IsNotReadyUntilItSaysSo) {
  EXPECT_FALSE(read("{}").value().ready);
  EXPECT_FALSE(read(R"({"status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}})")
                   .value()
                   .ready);
}

TEST(Node, NamesTheFieldThatHoldsNoQuantity) {
  EXPECT_EQ(read(R"({"status": {"allocatable": {"cpu": "1mm"}}})").error().message,
            "status.allocatable: cpu: unable to parse quantity's suffix");
}

}  // namespace
}  // namespace berth::api
