// One managed cluster with scores, and expressions over it.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/expressions/placement.h"
#include "cel/testing/expression_case.h"
#include "json/parse.h"

namespace berth::api::testing {

inline constexpr std::string_view kCluster =
    R"json({"metadata":{"name":"c1","labels":{"env":"prod","region":"eu-west-1","version":"v1.30.2"},"annotations":{"note":"hello world","json":"{\"a\":[1,2,{\"b\":null}],\"n\":2}"},"creationTimestamp":"2024-03-01T12:30:45Z"},
"spec":{"hubAcceptsClient":true,"leaseDurationSeconds":60,"taints":[{"key":"gpu","value":"yes","effect":"NoSelect","timeAdded":null}]},
"status":{"allocatable":{"cpu":"8","memory":"32Gi"},"capacity":{"cpu":"10","memory":"64Gi"},"version":{"kubernetes":"v1.30.2"},
"clusterClaims":[{"name":"id.k8s.io","value":"abc"},{"name":"platform","value":"aws"},{"name":"kubeversion.open-cluster-management.io","value":"v1.30.2"}],
"conditions":[{"type":"HubAccepted","status":"True"},{"type":"Available","status":"True","observedGeneration":3}], "ratio":0.5, "big": 9007199254740993}})json";

// The cluster has scores under the name "demo" only.
class DemoScores final : public ScoreLookup {
 public:
  Result<const json::Value*> find_scores(std::string_view, std::string_view name) const override {
    if (name == "demo") return &scores_;
    return failure(Code::NotFound, "addonplacementscore.cluster.open-cluster-management.io \"" +
                                       std::string(name) + "\" not found");
  }

 private:
  json::Value scores_ = json::Value::array({json::Value::object({{"name", "cpu"}, {"value", 70}}),
                                            json::Value::object({{"name", "mem"}, {"value", -5}})});
};

inline void expect_for_cluster(std::span<const cel::testing::ExpressionCase> cases) {
  const json::Value cluster = json::parse(kCluster).value();
  const DemoScores scores;
  cel::testing::expect_values(placement_environment(), cases,
                              [&](const cel::Program& program, cel::Arena& arena) {
                                return evaluate_for_cluster(program, cluster, scores, arena);
                              });
}

}  // namespace berth::api::testing
