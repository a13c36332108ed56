#include "placement/explaining/debug_request.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::parsed;

class DebugRequestTest : public ::testing::Test {
 protected:
  DebugRequestTest() {
    put(Watched::Sets, R"({"metadata":{"name":"s"},"spec":{}})");
    put(Watched::Bindings, R"({"metadata":{"name":"s","namespace":"ns1"}})");
    for (const char* name : {"b", "a"}) {
      json::Value cluster = parsed(R"({"metadata":{"labels":{
          "cluster.open-cluster-management.io/clusterset":"s"}}})");
      cluster["metadata"]["name"] = name;
      situation_.put(Watched::Clusters, cluster);
      clusters_.push_back(std::make_shared<const json::Value>(cluster));
    }
    placement_ = parsed(R"({"apiVersion":"cluster.open-cluster-management.io/v1beta1",
        "metadata":{"name":"p","namespace":"ns1","uid":"u","annotations":{"why":"a < b"}},
        "spec":{"numberOfClusters":1}})");
    situation_.put(Watched::Placements, placement_);
  }

  void put(Watched kind, std::string_view object) { situation_.put(kind, parsed(object)); }

  DebugResponse ask(std::string_view method, std::string_view path, std::string_view body = "") {
    return answer_debug({.method = method, .path = path, .body = body},
                        {.situation = situation_,
                         .find =
                             [this](const api::ObjectKey& key) {
                               return key == api::ObjectKey{"ns1", "p"}
                                          ? std::make_shared<const json::Value>(placement_)
                                          : nullptr;
                             },
                         .clusters = [this] { return clusters_; },
                         .now = Time(std::chrono::seconds(1000))});
  }

  Situation situation_{ocm_exact()};
  json::Value placement_;
  std::vector<std::shared_ptr<const json::Value>> clusters_;
};

TEST_F(DebugRequestTest, F13_EvaluatesAPlacementOfTheHub) {
  const DebugResponse response = ask("GET", "/debug/placements/ns1/p");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "text/plain; charset=utf-8");
  EXPECT_EQ(
      response.body,
      R"({"placement":{"metadata":{"name":"p","namespace":"ns1","annotations":{"why":"a \u003c b"}},)"
      R"("spec":{"numberOfClusters":1},"status":{}},)"
      R"("filteredPipelineResults":[{"name":"Predicate","filteredClusters":["a","b"]},)"
      R"({"name":"Predicate,TaintToleration","filteredClusters":["a","b"]}],)"
      R"("prioritizeResults":[{"name":"Balance","weight":1,"scores":{"a":100,"b":100}},)"
      R"({"name":"Steady","weight":1,"scores":{"a":0,"b":0}}],)"
      R"("aggregatedScores":[{"clusterName":"a","score":100},{"clusterName":"b","score":100}]})");
}

TEST_F(DebugRequestTest, EvaluatesAPlacementThatIsSentAndKeepsNothing) {
  const DebugResponse response = ask("POST", "/debug/placements/", R"({"metadata":{
      "name":"q","namespace":"ns1"},"spec":{"predicates":[{"requiredClusterSelector":{
      "labelSelector":{"matchLabels":{"x":"1"}}}}]}})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(*parsed(response.body).find("filteredPipelineResults"),
            parsed(R"([{"name":"Predicate"},{"name":"Predicate,TaintToleration"}])"));
  EXPECT_EQ(situation_.placements(), 1u);
}

TEST_F(DebugRequestTest, ExpressionsThatAreSentReadWholeClusters) {
  ASSERT_FALSE(situation_.keeps_cluster_objects());
  const DebugResponse response = ask("POST", "/debug/placements/", R"({"metadata":{
      "name":"q","namespace":"ns1"},"spec":{"predicates":[{"requiredClusterSelector":{
      "celSelector":{"celExpressions":["managedCluster.metadata.name == 'b'"]}}}]}})");
  EXPECT_EQ(*parsed(response.body).find("aggregatedScores"),
            parsed(R"([{"clusterName":"b","score":100}])"));
  EXPECT_FALSE(situation_.keeps_cluster_objects());
}

TEST_F(DebugRequestTest, F14_APlacementThatIsSentGetsNoDefaults) {
  const DebugResponse response = ask("POST", "/debug/placements/any/tail/at/all", R"({"metadata":{
      "name":"q","namespace":"ns1"},"spec":{"prioritizerPolicy":{"mode":"Exact","configurations":[
      {"scoreCoordinate":{"builtIn":"Steady"}}]}}})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(parsed(response.body).find("prioritizeResults"), nullptr);
}

TEST_F(DebugRequestTest, RefusesWithAnErrorInJson) {
  struct Case {
    std::string_view method;
    std::string path;
    std::string body;
    int status;
    std::string_view error;
  };
  const Case cases[] = {
      {"GET", "/debug/placements/x", "", 400,
       "invalid debug path: namespace and name required"},  // F12
      {"GET", "/debug/placements/", "", 400, "invalid debug path: namespace and name required"},
      {"GET", "/debug/placements/ns1/", "", 400, "invalid debug path: namespace and name required"},
      {"GET", "/debug/placements/a/b/c", "", 400, "unexpected key format: \"a/b/c\""},
      {"GET", "/debug/placements/ns1/other", "", 404, "placement 'other' not found"},
      {"PUT", "/debug/placements/ns1/p", "", 405, "method PUT not allowed"},
      {"POST", "/debug/placements/", "[]", 400,
       "failed to unmarshal placement JSON: expected an object"},
      {"POST", "/debug/placements/", std::string(kDebugBodyMax + 1, ' '), 400,
       "request body too large: limit is 1048576"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.path);
    const DebugResponse response = ask(c.method, c.path, c.body);
    EXPECT_EQ(response.status, c.status);
    EXPECT_EQ(response.content_type, "application/json");
    EXPECT_EQ(parsed(response.body), json::Value::object({{"error", c.error}}));
  }
  EXPECT_TRUE(ask("POST", "/debug/placements/", "{").body.contains("failed to unmarshal"));
}

}  // namespace
}  // namespace berth::placement
