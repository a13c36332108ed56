#include "nodes/node_match.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

const std::vector<api::Label> kLabels = {{"cores", "8"}, {"zone", "a"}};

bool matches(std::string_view spec) {
  return NodeMatch::from_json(testing::parsed(spec)).matches("n1", api::Labels(kLabels));
}

std::string required(std::string_view terms) {
  return fmt::format(R"({{"affinity":{{"nodeAffinity":{{
      "requiredDuringSchedulingIgnoredDuringExecution":{{"nodeSelectorTerms":{}}}}}}}}})",
                     terms);
}

TEST(NodeMatch, DecidesWhichNodesAreMeant) {
  struct Case {
    std::string_view what;
    std::string spec;
    bool matches;
  };
  const Case cases[] = {
      {"nothing said", "{}", true},
      {"selector", R"({"nodeSelector":{"zone":"a"}})", true},
      {"other value", R"({"nodeSelector":{"zone":"b"}})", false},
      {"missing label", R"({"nodeSelector":{"disk":""}})", false},
      {"no terms", required("[]"), false},
      {"a term that says nothing", required("[{}]"), false},
      {"in",
       required(R"([{"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]}]}])"),
       true},
      {"greater",
       required(R"([{"matchExpressions":[{"key":"cores","operator":"Gt","values":["7"]}]}])"),
       true},
      {"not greater",
       required(R"([{"matchExpressions":[{"key":"cores","operator":"Gt","values":["8"]}]}])"),
       false},
      {"any of two terms", required(R"([{"matchExpressions":[{"key":"x","operator":"Exists"}]},
                    {"matchExpressions":[{"key":"zone","operator":"Exists"}]}])"),
       true},
      {"both of one term", required(R"([{"matchExpressions":[{"key":"x","operator":"Exists"},
                                         {"key":"zone","operator":"Exists"}]}])"),
       false},
      {"by name",
       required(R"([{"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}])"),
       true},
      {"not by name",
       required(
           R"([{"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n1"]}]}])"),
       false},
      {"unknown field",
       required(R"([{"matchFields":[{"key":"spec.x","operator":"In","values":["n1"]}]}])"), false},
      {"unknown operator",
       required(R"([{"matchExpressions":[{"key":"zone","operator":"Like","values":["a"]}]}])"),
       false},
  };
  for (const Case& c : cases) EXPECT_EQ(matches(c.spec), c.matches) << c.what;
}

TEST(NodeMatch, AddsTheWeightsOfPreferencesThatHold) {
  const NodeMatch match = NodeMatch::from_json(testing::parsed(R"({"affinity":{"nodeAffinity":{
      "preferredDuringSchedulingIgnoredDuringExecution":[
        {"weight":5,"preference":{"matchExpressions":[{"key":"zone","operator":"Exists"}]}},
        {"weight":7,"preference":{"matchExpressions":[{"key":"none","operator":"Exists"}]}},
        {"weight":11,"preference":{"matchExpressions":[{"key":"cores","operator":"Exists"}]}}
      ]}}})"));
  EXPECT_TRUE(match.has_preferences());
  EXPECT_EQ(match.preference("n1", api::Labels(kLabels)), 16);
  EXPECT_TRUE(match.matches("n1", api::Labels()));
  EXPECT_FALSE(NodeMatch().has_preferences());
}

}  // namespace
}  // namespace berth::nodes
