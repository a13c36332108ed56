#include "kube/comparison/cluster_generator.h"

#include <chrono>

#include "base/rfc3339.h"
#include "kube/comparison/draw.h"

namespace berth::kube {
namespace {

using json::Value;
using namespace std::chrono_literals;

// Mostly far away, so that nothing changes while it is compared; sometimes soon after the start.
std::string draw_time(Random& random, Time start) {
  if (random.chance(0.05)) return format_seconds(start + random.between(2, 20) * 1s);
  return format_seconds(random.chance(0.5) ? start - 2h : start + 2h);
}

Value draw_resources(Random& random) {
  Value resources = Value::object();
  if (random.chance(0.85)) {
    resources["cpu"] =
        pick_json(random, {R"("4")", R"("4")", "8", R"("3900m")", R"("3.9")", R"("700m")",
                           R"("64")", R"("0.5")", R"("12e1")", R"("16500m")", R"("1k")", "0"});
  }
  if (random.chance(0.8)) {
    resources["memory"] = pick_json(
        random, {R"("16Gi")", R"("1.5Gi")", R"("500M")", R"("32000Mi")", R"("17179869184")",
                 R"("8Ti")", R"("123456789k")", R"("0.1Gi")", "1073741824"});
  }
  return resources;
}

Value draw_claims(Random& random) {
  Value claims = Value::array();
  const auto add = [&](const char* name, std::string_view value) {
    claims.push_back(Value::object({{"name", name}, {"value", value}}));
  };
  if (random.chance(0.8)) add("platform", pick(random, {"AWS", "GCP", "Azure"}));
  if (random.chance(0.7)) add("version", pick(random, {"1.29.4", "1.30.0", "1.31.2", "v1.30.1"}));
  if (random.chance(0.3)) add("odd", pick(random, {"has space", "a/b", "x"}));
  if (random.chance(0.2)) add("platform", pick(random, {"AWS", "GCP"}));  // A second value.
  return claims;
}

}  // namespace

Value draw_cluster_labels(Random& random) {
  Value labels = Value::object();
  labels["cluster.open-cluster-management.io/clusterset"] =
      random.chance(0.95) ? Value(pick(random, {"s1", "s1", "s1", "s2", "s3"})) : Value();
  labels["env"] = random.chance(0.9) ? Value(pick(random, {"prod", "dev", "test"})) : Value();
  labels["region"] = random.chance(0.8) ? Value(pick(random, {"eu", "us", "ap"})) : Value();
  labels["tier"] = random.chance(0.5) ? Value(pick(random, {"1", "2", ""})) : Value();
  return labels;
}

Value draw_taints(Random& random, Time start) {
  Value taints = Value::array();
  if (random.chance(0.75)) return taints;
  for (std::uint64_t count = 1 + random.below(2); count > 0; --count) {
    Value taint = Value::object(
        {{"key", pick(random, {"k1", "k2", "cluster.open-cluster-management.io/unreachable"})},
         {"effect", pick(random, {"NoSelect", "PreferNoSelect", "NoSelectIfNew"})}});
    if (random.chance(0.5)) taint["value"] = pick(random, {"v1", "v2", ""});
    if (random.chance(0.7)) taint["timeAdded"] = draw_time(random, start);
    taints.push_back(std::move(taint));
  }
  return taints;
}

Value draw_cluster_status(Random& random) {
  Value status = Value::object();
  status["clusterClaims"] = draw_claims(random);
  status["allocatable"] = draw_resources(random);
  status["capacity"] = random.chance(0.8) ? status["allocatable"] : draw_resources(random);
  status["version"] = Value::object({{"kubernetes", pick(random, {"v1.30.1", "1.31.2", ""})}});
  status["conditions"] = pick_json(
      random, {"null", "[]",
               R"([{"type":"ManagedClusterConditionAvailable","status":"True","reason":"Fine",
                    "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}])"});
  return status;
}

Value draw_set_spec(Random& random) {
  Value selector = pick_json(
      random,
      {R"({"selectorType":"ExclusiveClusterSetLabel"})",
       R"({"selectorType":"ExclusiveClusterSetLabel"})", R"({"selectorType":"LabelSelector"})",
       R"({"selectorType":"LabelSelector","labelSelector":{}})",
       R"({"selectorType":"LabelSelector","labelSelector":{"matchLabels":{"env":"prod"}}})",
       R"({"selectorType":"LabelSelector","labelSelector":{"matchExpressions":[
                   {"key":"region","operator":"NotIn","values":["eu"]}]}})",
       R"({"selectorType":"LabelSelector","labelSelector":{"matchExpressions":[
                   {"key":"tier","operator":"Exists"}]}})"});
  return Value::object({{"clusterSelector", std::move(selector)}});
}

Value draw_score_status(Random& random, Time start) {
  Value scores = Value::array();
  for (const char* name : {"cpu", "mem"}) {
    if (random.chance(0.2)) continue;
    scores.push_back(Value::object(
        {{"name", name},
         {"value", random.chance(0.3) ? random.between(-1, 1) * 100 : random.between(-100, 100)}}));
  }
  Value status = Value::object({{"scores", std::move(scores)}});
  status["validUntil"] = random.chance(0.5) ? Value() : Value(draw_time(random, start));
  return status;
}

}  // namespace berth::kube
