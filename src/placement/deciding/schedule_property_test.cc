// Properties of the whole engine on random small fleets: order does not matter, the incremental
// view equals one built anew, and the dependency index never misses a placement.

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/rfc3339.h"
#include "json/print.h"
#include "placement/testing/fleet_builder.h"
#include "placement/waking/dependencies.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::parsed;

constexpr Time kNow = Time(1000s);

// The objects of a small hub, by key. Everything that a view is built from.
struct World {
  std::map<std::string, json::Value> clusters;
  std::map<std::string, json::Value> sets;
  std::map<std::string, std::pair<std::string, std::string>> bindings;  // (namespace, set)
  std::map<std::string, json::Value> scores;
  std::map<std::string, json::Value> decisions;
};

std::string pick(std::initializer_list<const char*> words) {
  return *rc::gen::elementOf(std::vector<std::string>(words.begin(), words.end()));
}

std::string cluster_name() { return pick({"a", "b", "c", "d", "e"}); }
std::string set_name() { return pick({"s", "t", "u"}); }

json::Value random_cluster(const std::string& name) {
  json::Value object = json::Value::object();
  object["metadata"]["name"] = name;
  object["metadata"]["labels"][api::kClusterSetLabel] = set_name();
  object["metadata"]["labels"]["env"] = pick({"prod", "dev"});
  if (*rc::gen::arbitrary<bool>()) object["metadata"]["labels"]["zone"] = pick({"1", "2"});
  if (*rc::gen::inRange(0, 8) == 0)
    object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  if (*rc::gen::arbitrary<bool>()) {
    object["status"]["clusterClaims"].push_back(
        json::Value::object({{"name", "region"}, {"value", pick({"eu", "us"})}}));
  }
  for (const char* resource : {"cpu", "memory"}) {
    if (*rc::gen::inRange(0, 4) == 0) continue;
    object["status"]["allocatable"][resource] = pick({"1", "2500m", "3.9", "3900m"});
    object["status"]["capacity"][resource] = "8";
  }
  if (*rc::gen::inRange(0, 3) == 0) {
    object["spec"]["taints"].push_back(json::Value::object(
        {{"key", "k"},
         {"effect", pick({"NoSelect", "PreferNoSelect", "NoSelectIfNew"})},
         {"timeAdded", pick({"1970-01-01T00:16:00Z", "1970-01-01T00:00:00Z"})}}));
  }
  return object;
}

json::Value random_set(const std::string& name) {
  const std::string selector =
      pick({"{}", R"({"selectorType":"LabelSelector","labelSelector":{}})",
            R"({"selectorType":"LabelSelector","labelSelector":{"matchLabels":{"env":"prod"}}})",
            R"({"selectorType":"LabelSelector","labelSelector":{"matchExpressions":[
                {"key":"zone","operator":"NotIn","values":["2"]}]}})",
            R"({"selectorType":"LabelSelector","labelSelector":{"matchExpressions":[
                {"key":"zone","operator":"Nope"}]}})"});
  json::Value object = json::Value::object();
  object["metadata"]["name"] = name;
  object["spec"]["clusterSelector"] = parsed(selector);
  return object;
}

json::Value random_score(const std::string& cluster, const std::string& report) {
  json::Value object = json::Value::object();
  object["metadata"] = json::Value::object({{"name", report}, {"namespace", cluster}});
  object["status"]["scores"] = json::Value::array();
  for (const char* name : {"x", "y"}) {
    if (*rc::gen::inRange(0, 3) == 0) continue;
    object["status"]["scores"].push_back(
        json::Value::object({{"name", name}, {"value", *rc::gen::inRange(-100, 101)}}));
  }
  if (*rc::gen::arbitrary<bool>()) {
    object["status"]["validUntil"] = pick({"1970-01-01T00:16:00Z", "1970-01-01T00:20:00Z"});
  }
  return object;
}

json::Value random_decision(const std::string& name) {
  json::Value object = json::Value::object();
  object["metadata"] = json::Value::object({{"name", name}, {"namespace", pick({"n1", "n2"})}});
  object["metadata"]["labels"][api::kPlacementLabel] = pick({"p0", "p1", "p2"});
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    object["status"]["decisions"].push_back(
        json::Value::object({{"clusterName", pick({"a", "b", "c", "ghost"})}, {"reason", ""}}));
  }
  return object;
}

// One random edit of the world, applied to a view at the same time.
struct Edit {
  World& world;
  FleetView& view;

  FleetChange run() {
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        return edit_cluster();
      case 1:
        return edit_set();
      case 2:
        return edit_binding();
      case 3:
        return edit_score();
      default:
        return edit_decision();
    }
  }

  static bool removes() { return *rc::gen::inRange(0, 4) == 0; }

  static ClusterChange put(FleetView& view, const json::Value& object) {
    return view.put_cluster(
        api::read_managed_cluster(object),
        std::make_shared<const json::Value>(managed_cluster_for_expressions(object)));
  }

  FleetChange edit_cluster() {
    const std::string name = cluster_name();
    if (removes()) {
      world.clusters.erase(name);
      return view.remove_cluster(name);
    }
    return put(view, world.clusters[name] = random_cluster(name));
  }

  FleetChange edit_set() {
    const std::string name = set_name();
    if (removes()) {
      world.sets.erase(name);
      return view.remove_set(name);
    }
    return view.put_set(api::read_managed_cluster_set(world.sets[name] = random_set(name)));
  }

  FleetChange edit_binding() {
    const std::string object_namespace = pick({"n1", "n2"});
    const std::string name = set_name();
    if (removes()) {
      world.bindings.erase(object_namespace + "/" + name);
      return view.remove_binding(object_namespace, name);
    }
    world.bindings[object_namespace + "/" + name] = {object_namespace, name};
    return bind(view, {object_namespace, name});
  }

  static BindingChange bind(FleetView& view, const std::pair<std::string, std::string>& pair) {
    api::ManagedClusterSetBinding binding;
    binding.facts = {.name = pair.second, .object_namespace = pair.first};
    return view.put_binding(binding);
  }

  FleetChange edit_score() {
    const std::string cluster = cluster_name();
    const std::string report = pick({"r", "q"});
    if (removes()) {
      world.scores.erase(cluster + "/" + report);
      return view.remove_score(cluster, report);
    }
    json::Value& object = world.scores[cluster + "/" + report] = random_score(cluster, report);
    return view.put_score(api::read_add_on_placement_score(object));
  }

  FleetChange edit_decision() {
    const std::string name = pick({"d1", "d2", "d3"});
    // A name lives in one namespace at a time here: the old object goes first.
    if (const auto old = world.decisions.find(name); old != world.decisions.end()) {
      const auto facts = api::read_facts(old->second);
      world.decisions.erase(old);
      const auto change = view.remove_decision(facts.object_namespace, name);
      if (removes()) return change;
    }
    return view.put_decision(
        api::read_placement_decision(world.decisions[name] = random_decision(name)));
  }
};

FleetView build(const World& world, bool backwards) {
  FleetView view;
  std::vector<std::function<void()>> steps;
  for (const auto& [name, object] : world.decisions) {
    steps.emplace_back([&] { view.put_decision(api::read_placement_decision(object)); });
  }
  for (const auto& [name, object] : world.clusters) {
    steps.emplace_back([&] { Edit::put(view, object); });
  }
  for (const auto& [key, pair] : world.bindings) {
    steps.emplace_back([&] { Edit::bind(view, pair); });
  }
  for (const auto& [name, object] : world.scores) {
    steps.emplace_back([&] { view.put_score(api::read_add_on_placement_score(object)); });
  }
  for (const auto& [name, object] : world.sets) {
    steps.emplace_back([&] { view.put_set(api::read_managed_cluster_set(object)); });
  }
  if (backwards) std::ranges::reverse(steps);
  for (const auto& step : steps) step();
  return view;
}

// Placements that between them read everything there is to read.
const std::vector<CompiledPlacement>& placements() {
  static const std::vector<CompiledPlacement> kAll = [] {
    const std::pair<const char*, const char*> specs[] = {
        {"n1", "{}"},
        {"n1", R"({"numberOfClusters":2,"predicates":[{"requiredClusterSelector":{"labelSelector":
              {"matchLabels":{"env":"prod"}}}}]})"},
        {"n2", R"({"clusterSets":["s","t"],"numberOfClusters":1,"prioritizerPolicy":{"mode":"Exact",
              "configurations":[{"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"r",
              "scoreName":"x"}},"weight":-2},{"scoreCoordinate":{"type":"BuiltIn","builtIn":
              "ResourceAllocatableMemory"},"weight":1}]}})"},
        {"n1", R"({"clusterSets":["u"],"tolerations":[{"key":"k","operator":"Exists",
              "tolerationSeconds":100}],"spreadPolicy":{"spreadConstraints":[{"topologyKey":"region",
              "topologyKeyType":"Claim","whenUnsatisfiable":"DoNotSchedule"}]}})"},
        {"n2", R"json({"numberOfClusters":2,"predicates":[{"requiredClusterSelector":{"celSelector":
              {"celExpressions":["managedCluster.scores(\"q\").exists(s, s.value > 0)"]}}},
              {"requiredClusterSelector":{"claimSelector":{"matchExpressions":[{"key":"region",
              "operator":"In","values":["eu"]}]}}}]})json"},
        {"n1", R"({"numberOfClusters":3,"prioritizerPolicy":{"configurations":[{"scoreCoordinate":
              {"type":"BuiltIn","builtIn":"ResourceAllocatableCPU"},"weight":3}]},
              "decisionStrategy":{"groupStrategy":{"decisionGroups":[{"groupName":"g1",
              "groupClusterSelector":{"labelSelector":{"matchLabels":{"zone":"1"}}}}]}}})"}};
    std::vector<CompiledPlacement> all;
    for (const auto& [object_namespace, spec] : specs) {
      json::Value object = testing::placement_object(spec);
      object["metadata"]["name"] = fmt::format("p{}", all.size());
      object["metadata"]["namespace"] = object_namespace;
      all.push_back(testing::compiled(object));
    }
    return all;
  }();
  return kAll;
}

// Everything of a schedule that is visible outside, as text, and the writes of the plan.
std::string visible(const CompiledPlacement& placement, const FleetView& view) {
  const Schedule result = schedule(placement, view, kNow, {});
  if (result.failure) return result.failure->message;
  std::string text =
      fmt::format("{} [{}] {} {} ", result.has_bindings, fmt::join(result.eligible_sets, ","),
                  result.available.size(), result.unscheduled);
  for (const Ranked& ranked : result.chosen) {
    text += fmt::format("{}:{} ", view.name(ranked.cluster), ranked.total);
  }
  std::map<std::string, std::int64_t> scores;
  for (const Ranked& ranked : result.feasible) scores[view.name(ranked.cluster)] = ranked.total;
  for (const auto& [name, total] : scores) text += fmt::format("{}={} ", name, total);
  if (result.valid_until) text += format_seconds(*result.valid_until);
  for (const std::string& remark : result.remarks) text += remark;
  const auto planned = plan_placement(placement, view, kNow, {});
  for (const PlannedWrite& write : planned->writes) text += write.name + json::print(write.body);
  return text;
}

TEST(ScheduleProperties, TheIncrementalViewEqualsOneBuiltAnewInAnyOrder) {
  EXPECT_TRUE(rc::check([] {
    World world;
    FleetView view;
    const int edits = *rc::gen::inRange(1, 60);
    for (int i = 0; i < edits; ++i) Edit{world, view}.run();
    const FleetView forwards = build(world, false);
    const FleetView backwards = build(world, true);
    for (const CompiledPlacement& placement : placements()) {
      const std::string expected = visible(placement, view);
      RC_ASSERT(visible(placement, forwards) == expected);
      RC_ASSERT(visible(placement, backwards) == expected);
    }
    RC_ASSERT(forwards.symbols().size() == view.symbols().size());
  }));
}

TEST(ScheduleProperties, TheDependencyIndexNeverMissesAnAffectedPlacement) {
  EXPECT_TRUE(rc::check([] {
    World world;
    FleetView view;
    Dependencies dependencies;
    for (const CompiledPlacement& placement : placements()) dependencies.put(placement, {});
    for (int i = 0; i < 30; ++i) {
      std::vector<std::string> before;
      for (const auto& placement : placements()) before.push_back(visible(placement, view));
      const FleetChange change = Edit{world, view}.run();
      // What other placements decided counts for Balance but wakes nobody, on purpose.
      if (std::holds_alternative<DecisionChange>(change)) continue;
      const auto affected = dependencies.affected(change, view.sets());
      for (std::size_t p = 0; p < placements().size(); ++p) {
        const bool found = std::ranges::find(affected, placements()[p].key) != affected.end();
        RC_ASSERT(found || visible(placements()[p], view) == before[p]);
      }
    }
  }));
}

TEST(ScheduleProperties, EveryChosenClusterPassesAllFiltersAndNobodyBetterIsLeftOut) {
  EXPECT_TRUE(rc::check([] {
    World world;
    FleetView view;
    for (int i = 0; i < 50; ++i) Edit{world, view}.run();
    for (const CompiledPlacement& placement : placements()) {
      const Schedule result = schedule(placement, view, kNow, {});
      ClusterBits chosen;
      for (const Ranked& ranked : result.chosen) {
        chosen.set(ranked.cluster);
        const auto verdict = explain_cluster(placement, view, kNow, {}, view.name(ranked.cluster));
        RC_ASSERT(verdict.kind == ClusterVerdict::Kind::Chosen);
        RC_ASSERT(verdict.objections.empty());
      }
      if (!placement.placement.spread.empty()) continue;
      for (const Ranked& out : result.feasible) {
        if (chosen.test(out.cluster)) continue;
        for (const Ranked& in : result.chosen) RC_ASSERT(comes_before(view, in, out));
      }
    }
  }));
}

TEST(ScheduleProperties, AppliedPlansAreFollowedByNothing) {
  EXPECT_TRUE(rc::check([] {
    World world;
    testing::FleetBuilder fleet = testing::FleetBuilder::unbound();
    for (int i = 0; i < 40; ++i) Edit{world, fleet.view()}.run();
    fleet.bind("s").set("s");
    // Without Balance and Steady, decisions are no input, so one run must settle it.
    json::Value object =
        testing::placement_object(R"({"numberOfClusters":2,"prioritizerPolicy":{"mode":"Exact"}})");
    const auto planned = plan_placement(testing::compiled(object), fleet.view(), kNow, {});
    RC_PRE(planned.ok());
    object = fleet.apply(object, *planned);
    const auto again = plan_placement(testing::compiled(object), fleet.view(), kNow, {});
    RC_ASSERT(again->writes.empty());
  }));
}

}  // namespace
}  // namespace berth::placement
