#include "local/node_wish.h"

#include <string_view>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using json::Value;
using testing::parsed;

api::Node node_called(std::string name) {
  api::Node node;
  node.name = std::move(name);
  node.labels = {{"cores", "8"}, {"disk", "ssd"}};
  return node;
}

TEST(NodeWish, IsFulfilledByTheNodesThatTheSpecNames) {
  struct Case {
    std::string_view what;
    std::string_view spec;
    bool wanted;
  };
  const Case cases[] = {
      {"nothing is asked", "{}", true},
      {"bound to it", R"({"nodeName":"a"})", true},
      {"bound elsewhere", R"({"nodeName":"b"})", false},
      {"selector", R"({"nodeSelector":{"disk":"ssd"}})", true},
      {"other selector", R"({"nodeSelector":{"disk":"hdd"}})", false},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(wants_node(parsed(each.spec), node_called("a")), each.wanted) << each.what;
  }
}

TEST(NodeWish, IsFulfilledByAnyTermOfWhichAllHolds) {
  struct Case {
    std::string_view terms;
    bool wanted;
  };
  const Case cases[] = {
      {R"([{"matchExpressions":[{"key":"disk","operator":"In","values":["ssd","nvme"]}]}])", true},
      {R"([{"matchExpressions":[{"key":"disk","operator":"NotIn","values":["ssd"]}]}])", false},
      {R"([{"matchExpressions":[{"key":"gpu","operator":"DoesNotExist"},
                                {"key":"disk","operator":"Exists"}]}])",
       true},
      {R"([{"matchExpressions":[{"key":"cores","operator":"Gt","values":["4"]}]}])", true},
      {R"([{"matchExpressions":[{"key":"cores","operator":"Lt","values":["4"]}]}])", false},
      {R"([{"matchExpressions":[{"key":"disk","operator":"Like","values":["s"]}]}])", false},
      {R"([{"matchFields":[{"key":"metadata.name","operator":"In","values":["a"]}]}])", true},
      {R"([{"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["a"]}]}])", false},
      {R"([{"matchFields":[{"key":"metadata.uid","operator":"In","values":["a"]}]}])", false},
      {R"([{"matchExpressions":[{"key":"gpu","operator":"Exists"}]},
           {"matchExpressions":[{"key":"disk","operator":"Exists"}]}])",
       true},
      {"[{}]", false},
      {"[]", false},
  };
  for (const Case& each : cases) {
    Value spec;
    spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] =
        Value::object({{"nodeSelectorTerms", parsed(each.terms)}});
    EXPECT_EQ(wants_node(spec, node_called("a")), each.wanted) << each.terms;
  }
}

TEST(NodeWish, APinnedPodWantsOneNodeAndWhatItWantedBefore) {
  const Value pod = pinned_to(testing::pod("p", "Pending"), "a");
  EXPECT_EQ(pin_of(pod), "a");
  EXPECT_TRUE(wants_node(api::field(pod, "spec"), node_called("a")));
  EXPECT_FALSE(wants_node(api::field(pod, "spec"), node_called("b")));

  Value choosy = testing::pod("p", "Pending");
  choosy["spec"] = parsed(R"({"affinity":{"nodeAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
        {"matchExpressions":[{"key":"gpu","operator":"Exists"}]}]}}}})");
  choosy = pinned_to(choosy, "a");
  EXPECT_EQ(pin_of(choosy), "a");
  EXPECT_FALSE(wants_node(api::field(choosy, "spec"), node_called("a"))) << "it has no gpu";
  EXPECT_EQ(pin_of(testing::pod("p", "Pending")), "");
}

}  // namespace
}  // namespace berth::local
