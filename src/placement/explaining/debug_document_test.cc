#include "placement/explaining/debug_document.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::FleetBuilder;
using testing::parsed;
using testing::placement_object;

json::Value debug(const FleetBuilder& fleet, std::string_view spec) {
  return debug_document(placement_object(spec), testing::schedule(fleet, spec, ocm_exact()),
                        fleet.view());
}

TEST(DebugDocument, F15_TheLastFilterListsInFinalOrder) {
  FleetBuilder fleet;
  fleet.cluster("a").cluster("b").cluster("c", R"({"taints":[{"key":"k","effect":"NoSelect"}]})");
  fleet.decision({"b"});
  EXPECT_EQ(debug(fleet, R"({"numberOfClusters":1})"), parsed(R"({
    "placement":{"metadata":{"name":"p","namespace":"ns1"},"spec":{"numberOfClusters":1},"status":{}},
    "filteredPipelineResults":[{"name":"Predicate","filteredClusters":["a","b","c"]},
                               {"name":"Predicate,TaintToleration","filteredClusters":["b","a"]}],
    "prioritizeResults":[{"name":"Balance","weight":1,"scores":{"a":100,"b":100}},
                         {"name":"Steady","weight":1,"scores":{"a":0,"b":100}}],
    "aggregatedScores":[{"clusterName":"b","score":200},{"clusterName":"a","score":100}]})"));
}

TEST(DebugDocument, F10_AMisconfiguredPlacementLacksTheLaterSections) {
  FleetBuilder fleet;
  fleet.cluster("a");
  const json::Value document = debug(fleet, R"({"tolerations":[{}]})");
  EXPECT_EQ(*document.find("filteredPipelineResults"),
            parsed(R"([{"name":"Predicate","filteredClusters":["a"]}])"));
  EXPECT_EQ(document.find("prioritizeResults"), nullptr);
  EXPECT_EQ(document.find("aggregatedScores"), nullptr);
  EXPECT_EQ(document.find("error"), nullptr);
}

TEST(DebugDocument, D12_WithoutDataThereAreNoScores) {
  FleetBuilder fleet;
  fleet.cluster("a");
  EXPECT_EQ(*debug(fleet, R"({"prioritizerPolicy":{"mode":"Exact","configurations":[{
      "scoreCoordinate":{"type":"BuiltIn","builtIn":"ResourceAllocatableCPU"},"weight":1}]}})")
                 .find("prioritizeResults"),
            parsed(R"([{"name":"ResourceAllocatableCPU","weight":1,"scores":{}}])"));
}

}  // namespace
}  // namespace berth::placement
