#include "kube/comparison/placement_generator.h"

#include <utility>

#include "api/kinds/fields.h"
#include "kube/comparison/draw.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr double kWrong = 0.02;  // Of each thing that can be wrong with a spec.

Value draw_label_requirement(Random& random) {
  if (random.chance(kWrong)) {
    return pick_json(random,
                     {R"({"key":"env","operator":"Nope"})", R"({"key":"env","operator":"In"})",
                      R"({"key":"env","operator":"NotIn","values":[]})",
                      R"({"key":"env","operator":"Exists","values":["x"]})",
                      R"({"key":"-bad-","operator":"Exists"})",
                      R"({"key":"env","operator":"In","values":["has space"]})",
                      R"({"key":"env","operator":"Gt","values":["1"]})"});
  }
  return pick_json(random, {R"({"key":"env","operator":"In","values":["prod","dev"]})",
                            R"({"key":"env","operator":"NotIn","values":["test"]})",
                            R"({"key":"region","operator":"NotIn","values":["eu","us"]})",
                            R"({"key":"region","operator":"In","values":["eu"]})",
                            R"({"key":"tier","operator":"Exists"})",
                            R"({"key":"tier","operator":"DoesNotExist"})",
                            R"({"key":"tier","operator":"In","values":[""]})"});
}

Value draw_label_selector(Random& random) {
  Value selector = Value::object();
  if (random.chance(0.4)) selector["matchLabels"]["env"] = pick(random, {"prod", "dev", "test"});
  if (random.chance(0.2)) selector["matchLabels"]["region"] = pick(random, {"eu", "us"});
  if (random.chance(0.5)) {
    selector["matchExpressions"].push_back(draw_label_requirement(random));
  }
  return selector;
}

Value draw_claim_selector(Random& random) {
  Value selector = Value::object();
  if (random.chance(kWrong)) {
    selector["matchExpressions"].push_back(
        pick_json(random, {R"({"key":"odd","operator":"In","values":["has space"]})",
                           R"({"key":"odd","operator":"Sometimes"})"}));
  } else {
    selector["matchExpressions"].push_back(pick_json(
        random,
        {R"({"key":"platform","operator":"In","values":["AWS","GCP"]})",
         R"({"key":"platform","operator":"NotIn","values":["AWS"]})",
         R"({"key":"version","operator":"In","values":["1.30.0","v1.30.1"]})",
         R"({"key":"odd","operator":"Exists"})", R"({"key":"odd","operator":"DoesNotExist"})"}));
  }
  return selector;
}

std::string_view draw_expression(Random& random) {
  if (random.chance(3 * kWrong)) {
    return pick(random, {"managedCluster.", "cluster.metadata.name == 'c01'", "1 < 2.0", "",
                         "managedCluster.metadata.name.unknown()", "[1,2].existsOne(x, x == 1)",
                         "semver('1.2.3', true).major() == 1", "parseJSON('{}').a == 1",
                         "1 == 1.0 && foo", "'a' + 1 == 'a1'"});
  }
  return pick(
      random,
      {R"(managedCluster.metadata.labels["env"] == "prod")",
       R"(managedCluster.metadata.labels.env in ["prod", "dev"])",
       R"("tier" in managedCluster.metadata.labels)",
       R"(!has(managedCluster.metadata.labels.tier) || managedCluster.metadata.labels.tier != "1")",
       R"(managedCluster.metadata.labels["region"].matches("^[eu]"))",
       R"(managedCluster.metadata.name.endsWith("5"))",
       R"(managedCluster.status.clusterClaims.exists(c, c.name == "platform" && c.value == "AWS"))",
       R"(managedCluster.status.clusterClaims.filter(c, c.name == "platform").size() == 1)",
       R"(managedCluster.scores("usage").filter(s, s.name == "cpu").all(s, s.value > 0))",
       R"(managedCluster.scores("usage").exists(s, s.value > 20) || managedCluster.metadata.name < "c10")",
       R"(managedCluster.scores("latency").map(s, s.value).sum() > 0)",
       R"(quantity(managedCluster.status.allocatable.cpu).isGreaterThan(quantity("4")))",
       R"(managedCluster.status.allocatable["memory"] == "16Gi")",
       R"(managedCluster.status.capacity.cpu == "4" || managedCluster.status.capacity.cpu == "8")",
       R"(semver(managedCluster.status.version.kubernetes).isGreaterThan(semver("1.30.0")))",
       R"(managedCluster.status.conditions == null)",
       R"(size(managedCluster.spec.taints) > 1)",
       R"(has(managedCluster.spec.taints) && managedCluster.spec.taints.exists(t, t.timeAdded == null))",
       R"(managedCluster.spec.leaseDurationSeconds == 60 && !managedCluster.spec.hubAcceptsClient)",
       R"(managedCluster.metadata.?labels[?"tier"].orValue("none") == "none")",
       R"("abc")",
       "1 + 1",
       R"("{\"n\": 2}".parseJSON().n == 2)",
       "true"});
}

Value draw_predicates(Random& random) {
  Value predicates = Value::array();
  if (random.chance(0.35)) return predicates;
  for (std::uint64_t count = 1 + random.below(2); count > 0; --count) {
    Value selector = Value::object();
    if (random.chance(0.5)) selector["labelSelector"] = draw_label_selector(random);
    if (random.chance(0.25)) selector["claimSelector"] = draw_claim_selector(random);
    if (random.chance(0.35)) {
      selector["celSelector"]["celExpressions"].push_back(draw_expression(random));
      if (random.chance(0.2)) {
        selector["celSelector"]["celExpressions"].push_back(draw_expression(random));
      }
    }
    predicates.push_back(random.chance(0.05)
                             ? Value::object()
                             : Value::object({{"requiredClusterSelector", std::move(selector)}}));
  }
  return predicates;
}

Value draw_tolerations(Random& random) {
  Value tolerations = Value::array();
  if (random.chance(0.5)) return tolerations;
  for (std::uint64_t count = 1 + random.below(3); count > 0; --count) {
    if (random.chance(kWrong)) {
      tolerations.push_back(pick_json(
          random, {R"({"value":"v1"})", R"({"key":"k1","operator":"Exists","value":"v1"})",
                   R"({"key":"k1","operator":"Foo"})"}));
      continue;
    }
    Value toleration = pick_json(
        random,
        {R"({"operator":"Exists"})", R"({"key":"k1","operator":"Exists"})",
         R"({"key":"k1","value":"v1"})", R"({"key":"k2"})",
         R"({"key":"cluster.open-cluster-management.io/unreachable","operator":"Exists"})"});
    if (random.chance(0.3)) {
      toleration["effect"] = pick(random, {"NoSelect", "PreferNoSelect", "NoSelectIfNew"});
    }
    if (random.chance(0.4)) {
      toleration["tolerationSeconds"] =
          pick_json(random, {"3600", "86400", "0", "-5", "9223372036", "9223372037", "7200"});
    }
    tolerations.push_back(std::move(toleration));
  }
  return tolerations;
}

Value draw_configuration(Random& random) {
  Value made = Value::object(
      {{"scoreCoordinate",
        pick_json(
            random,
            {
                R"({"type":"BuiltIn","builtIn":"Balance"})",
                R"({"type":"BuiltIn","builtIn":"Steady"})",
                R"({"builtIn":"Steady"})",
                R"({"type":"BuiltIn","builtIn":"ResourceAllocatableCPU"})",
                R"({"type":"BuiltIn","builtIn":"ResourceAllocatableMemory"})",
                R"({"type":"AddOn","addOn":{"resourceName":"usage","scoreName":"cpu"}})",
                R"({"type":"AddOn","addOn":{"resourceName":"usage","scoreName":"mem"}})",
                R"({"type":"AddOn","addOn":{"resourceName":"latency","scoreName":"cpu"}})",
                R"({"type":"AddOn","addOn":{"resourceName":"nobody","scoreName":"knows"}})",
                R"({"type":"BuiltIn","builtIn":"Balance","addOn":{"resourceName":"usage","scoreName":"cpu"}})",
            })}});
  if (random.chance(0.8)) made["weight"] = random.between(-3, 5);
  return made;
}

Value draw_prioritizers(Random& random) {
  Value policy = Value::object();
  if (random.chance(0.8)) policy["mode"] = pick(random, {"Additive", "Exact", "Exact", ""});
  if (random.chance(kWrong)) policy["mode"] = "Weird";
  const std::uint64_t count = random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    policy["configurations"].push_back(draw_configuration(random));
  }
  if (random.chance(2 * kWrong)) {
    policy["configurations"].push_back(pick_json(
        random, {R"({"scoreCoordinate":{"type":"BuiltIn","builtIn":"Spread"}})",
                 R"({"scoreCoordinate":{"type":"BuiltIn","builtIn":"Spread"},"weight":0})",
                 R"({"scoreCoordinate":{"type":"AddOn"},"weight":2})"}));
  }
  return policy;
}

Value draw_groups(Random& random) {
  Value strategy = Value::object();
  const std::uint64_t count = random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) {
    Value selector = Value::object();
    if (random.chance(0.8)) selector["labelSelector"] = draw_label_selector(random);
    if (random.chance(0.2)) selector["claimSelector"] = draw_claim_selector(random);
    strategy["decisionGroups"].push_back(
        Value::object({{"groupName", pick(random, {"canary", "g1", "rest"})},
                       {"groupClusterSelector", std::move(selector)}}));
  }
  if (random.chance(0.7)) {
    strategy["clustersPerDecisionGroup"] =
        pick_json(random, {"1", "2", "3", "5", "99", "0", "-5", R"("1%")", R"("7%")", R"("28%")",
                           R"("50%")", R"("100%")"});
  }
  if (random.chance(kWrong)) strategy["clustersPerDecisionGroup"] = "2";
  return strategy;
}

}  // namespace

bool is_calm(const Value& spec) {
  if (!spec.find("numberOfClusters")) return true;
  for (const Value& entry :
       api::elements_field(api::field(spec, "prioritizerPolicy"), "configurations")) {
    const bool is_steady =
        api::text_field(api::field(entry, "scoreCoordinate"), "builtIn") == "Steady";
    if (is_steady && api::integer_field(entry, "weight").value_or(1) < 0) return false;
  }
  return true;
}

Value draw_placement_spec(Random& random) {
  Value spec = Value::object();
  if (random.chance(0.2)) {
    for (const char* set : {"s3", "s1", "s2", "nowhere"}) {
      if (random.chance(0.4)) spec["clusterSets"].push_back(set);
    }
  }
  if (random.chance(0.7)) {
    spec["numberOfClusters"] = random.chance(0.05) ? 0 : random.between(1, 12);
  }
  spec["predicates"] = draw_predicates(random);
  spec["tolerations"] = draw_tolerations(random);
  if (random.chance(0.8)) spec["prioritizerPolicy"] = draw_prioritizers(random);
  if (random.chance(0.35)) spec["decisionStrategy"]["groupStrategy"] = draw_groups(random);
  if (random.chance(0.1)) spec["sortBy"] = "Score";
  if (random.chance(0.1)) {
    spec["spreadPolicy"] = pick_json(
        random, {R"({"spreadConstraints":[{"topologyKey":"region","topologyKeyType":"Label",
                     "whenUnsatisfiable":"DoNotSchedule"}]})",
                 "{}"});
  }
  return is_calm(spec) ? spec : draw_placement_spec(random);
}

}  // namespace berth::kube
