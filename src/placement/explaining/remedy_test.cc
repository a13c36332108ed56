#include "placement/explaining/remedy.h"

#include <rapidcheck/gtest.h>

#include "api/label_selector_text.h"
#include "base/random.h"
#include "base/strings.h"
#include "json/print.h"
#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using testing::compiled;
using testing::FleetBuilder;
using testing::parsed;
using Kind = ClusterVerdict::Kind;

struct ModelCluster {
  std::string name = {};
  std::map<std::string, std::string> labels = {};
  std::vector<std::pair<std::string, std::string>> taints = {};  // Key and effect.
  std::optional<std::int32_t> load = std::nullopt;
};

// A fleet and a placement that can be changed as a remedy says.
struct Model {
  std::vector<ModelCluster> clusters = {};
  json::Value placement = testing::placement_object();
  std::vector<std::string> incumbents = {};
  std::set<std::string> bound = {"s"};  // Besides s there is the set t.

  FleetBuilder fleet() const {
    FleetBuilder fleet = FleetBuilder::unbound();
    fleet.set("s").set("t");
    for (const std::string& set : bound) fleet.bind(set);
    for (const ModelCluster& cluster : clusters) {
      json::Value extra = json::Value::object();
      for (const auto& [key, value] : cluster.labels) extra["labels"][key] = value;
      for (const auto& [key, effect] : cluster.taints) {
        extra["taints"].push_back(json::Value::object({{"key", key}, {"effect", effect}}));
      }
      fleet.cluster(cluster.name, json::print(extra));
      if (cluster.load) fleet.score(cluster.name, "demo", {{"load", *cluster.load}});
    }
    if (!incumbents.empty()) fleet.decision(incumbents);
    return fleet;
  }

  ClusterVerdict explain(const std::string& cluster) const {
    const FleetBuilder built = fleet();
    return explain_cluster(compiled(placement), built.view(), built.now(), {}, cluster);
  }

  ModelCluster& find(const std::string& name) {
    return *std::ranges::find(clusters, name, &ModelCluster::name);
  }
};

constexpr std::string_view kByLoad = R"({"mode":"Exact","configurations":[
    {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo","scoreName":"load"}},
     "weight":1},
    {"scoreCoordinate":{"type":"BuiltIn","builtIn":"Steady"},"weight":1}]})";

std::string one_of(Random& random, const std::vector<std::string>& values) {
  return values[random.below(values.size())];
}

ModelCluster draw_cluster(Random& random, std::string name) {
  ModelCluster cluster{.name = std::move(name)};
  if (random.chance(0.7)) cluster.labels["env"] = one_of(random, {"dev", "prod"});
  if (random.chance(0.8)) cluster.labels["zone"] = one_of(random, {"1", "2"});
  if (random.chance(0.2)) cluster.labels[std::string(api::kClusterSetLabel)] = "t";
  if (random.chance(0.2)) cluster.taints.emplace_back("k", "NoSelect");
  if (random.chance(0.2)) cluster.taints.emplace_back("l", "NoSelectIfNew");
  if (random.chance(0.2)) cluster.taints.emplace_back("m", "PreferNoSelect");
  if (random.chance(0.8)) cluster.load = static_cast<std::int32_t>(random.below(60)) - 30;
  return cluster;
}

json::Value draw_spec(Random& random) {
  json::Value spec = json::Value::object();
  spec["prioritizerPolicy"] = parsed(kByLoad);
  if (random.chance(0.8)) spec["numberOfClusters"] = static_cast<int>(random.below(4));
  if (random.chance(0.3)) spec["clusterSets"].push_back("s");
  if (random.chance(0.5)) {
    spec["predicates"] = parsed(
        one_of(random,
               {R"([{"requiredClusterSelector":{"labelSelector":{"matchLabels":{"env":"prod"}}}}])",
                R"([{"requiredClusterSelector":{"labelSelector":{"matchExpressions":[
             {"key":"env","operator":"Exists"},{"key":"tier","operator":"NotIn","values":["x"]},
             {"key":"tier","operator":"Exists"}]}}}])"}));
  }
  if (random.chance(0.3)) {
    spec["spreadPolicy"] = parsed(
        one_of(random, {R"({"spreadConstraints":[{"topologyKey":"zone","topologyKeyType":"Label",
                 "maxSkew":1,"whenUnsatisfiable":"DoNotSchedule"}]})",
                        R"({"spreadConstraints":[{"topologyKey":"zone","topologyKeyType":"Label",
                 "maxSkew":1,"whenUnsatisfiable":"ScheduleAnyway"}]})"}));
  }
  return spec;
}

Model draw_model(std::uint64_t seed) {
  Random random(seed);
  Model model;
  for (std::uint64_t i = 0; i <= random.below(7); ++i) {
    model.clusters.push_back(draw_cluster(random, "c" + std::to_string(i)));
  }
  model.placement["spec"] = draw_spec(random);
  json::Value& annotations = model.placement["metadata"]["annotations"];
  if (random.chance(0.3)) annotations[api::kMinGainAnnotation] = "10";
  if (random.chance(0.5)) {
    annotations[api::kMissingScoresAnnotation] = one_of(random, {"Exclude", "Worst", "Neutral"});
  }
  for (const ModelCluster& cluster : model.clusters) {
    if (random.chance(0.2)) model.incumbents.push_back(cluster.name);
  }
  if (random.chance(0.2)) model.bound = {};
  return model;
}

void satisfy(ModelCluster& cluster, const api::LabelRequirement& requirement) {
  using Operator = api::LabelRequirement::Operator;
  switch (requirement.op()) {
    case Operator::In:
    case Operator::Equals:
    case Operator::DoubleEquals:
      cluster.labels[requirement.key()] = requirement.values().front();
      break;
    case Operator::Exists:
      cluster.labels.try_emplace(requirement.key(), "some");
      break;
    default:
      cluster.labels.erase(requirement.key());
      break;
  }
}

// What a score that is not there counts as.
std::int32_t silence_of(const Model& model) {
  const json::Value* policy = model.placement.find_path(
      {"metadata", "annotations", std::string(api::kMissingScoresAnnotation)});
  return policy && policy->string_or_empty() == "Worst" ? kScoreMin : 0;
}

// Does what the text says; false if it is no change of these objects.
bool apply(Model& model, const std::string& name, std::string_view remedy) {
  ModelCluster& cluster = model.find(name);
  json::Value& spec = model.placement["spec"];
  const auto rest_of = [&](std::string_view beginning) {
    return remedy.starts_with(beginning) ? std::optional(remedy.substr(beginning.size()))
                                         : std::nullopt;
  };
  if (const auto label = rest_of("label ")) {
    satisfy(cluster, api::parse_label_requirements(*label).value().front());
  } else if (const auto taint = rest_of("a toleration for ")) {
    spec["tolerations"].push_back(
        json::Value::object({{"key", taint->substr(0, taint->find(':'))}, {"operator", "Exists"}}));
  } else if (const auto number = rest_of("numberOfClusters ")) {
    spec["numberOfClusters"] = parse_int64(*number).value();
  } else if (rest_of("a valid score ")) {
    cluster.load = 0;
  } else if (const auto set = rest_of("a binding of cluster set ")) {
    model.bound.emplace(set->substr(0, set->find(' ')));
  } else if (remedy.ends_with(" in spec.clusterSets")) {
    spec["clusterSets"].push_back(remedy.substr(0, remedy.find(' ')));
  } else if (remedy == "no PreferNoSelect taint") {
    std::erase_if(cluster.taints,
                  [](const auto& taint) { return taint.second == "PreferNoSelect"; });
  } else if (remedy.contains(" more point")) {
    const auto points = parse_int64(remedy.substr(0, remedy.find(' '))).value();
    cluster.load = cluster.load.value_or(silence_of(model)) + static_cast<std::int32_t>(points);
  } else {
    return false;
  }
  return true;
}

RC_GTEST_PROP(Remedy, IsTrueAndTheLeastThatHelps, ()) {
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  const Model model = draw_model(seed);
  for (const ModelCluster& cluster : model.clusters) {
    const ClusterVerdict verdict = model.explain(cluster.name);
    RC_ASSERT((verdict.kind == Kind::Chosen) <= verdict.remedies.empty());
    if (verdict.remedies.empty()) continue;
    RC_LOG() << cluster.name << ": " << join(verdict.remedies, " and ") << "\n";
    Model better = model;
    bool all_applied = true;
    for (const std::string& remedy : verdict.remedies) {
      all_applied = all_applied && apply(better, cluster.name, remedy);
    }
    RC_TAG(all_applied ? "applied" : "another topology");
    if (!all_applied) continue;
    RC_ASSERT(better.explain(cluster.name).kind == Kind::Chosen);
    for (std::size_t left_out = 0; left_out < verdict.remedies.size(); ++left_out) {
      // Who gives points gives a score.
      if (verdict.remedies[left_out].starts_with("a valid score")) continue;
      Model worse = model;
      for (std::size_t i = 0; i < verdict.remedies.size(); ++i) {
        if (i != left_out) apply(worse, cluster.name, verdict.remedies[i]);
      }
      if (verdict.remedies[left_out].contains(" more point")) {
        worse.find(cluster.name).load = *better.find(cluster.name).load - 1;
      }
      RC_ASSERT(worse.explain(cluster.name).kind != Kind::Chosen);
    }
  }
}

TEST(Remedy, AClusterOfAnotherSetNeedsThatSet) {
  Model model{.clusters = {{.name = "c", .labels = {{std::string(api::kClusterSetLabel), "t"}}}}};
  EXPECT_EQ(model.explain("c").remedies,
            std::vector<std::string>{"a binding of cluster set t in namespace ns1"});
  model.placement["spec"]["clusterSets"].push_back("s");
  EXPECT_EQ(model.explain("c").remedies,
            (std::vector<std::string>{"a binding of cluster set t in namespace ns1",
                                      "t in spec.clusterSets"}));
}

TEST(Remedy, AClusterOfNoSetNeedsALabel) {
  Model model{.clusters = {{.name = "c", .labels = {{std::string(api::kClusterSetLabel), ""}}}}};
  EXPECT_EQ(model.explain("c").remedies,
            std::vector<std::string>{"label cluster.open-cluster-management.io/clusterset=s"});
  model.bound = {};
  EXPECT_EQ(model.explain("c").remedies,
            std::vector<std::string>{"membership in a cluster set that is bound in namespace ns1"});
}

TEST(Remedy, WhereNobodyIsWantedMorePointsDoNotHelp) {
  Model model{.clusters = {{.name = "a"}, {.name = "b"}}};
  model.placement["spec"]["numberOfClusters"] = 0;
  EXPECT_EQ(model.explain("b").remedies, std::vector<std::string>{"numberOfClusters 2"});
}

}  // namespace
}  // namespace berth::placement
