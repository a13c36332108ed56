// A hub with a fleet, and the placement controller on a machine of its own, with Berth's own code
// from the watch to the written decision.
//
//   cluster NAME [KEY=VALUE ...]    a cluster of the default set with these labels
//   taint NAME EFFECT | untaint NAME | remove NAME
//   score NAME VALUE [valid=60s]    what its agent publishes as AddOn/gpu/free
//   place NAME [count=N] [by=PRIORITIZER:WEIGHT,...] [where=KEY:VALUE] [tolerates=20s]
//   cut | block | heal              the streams, or the way, from the hub to the controller
//   pause 20s | crash | restart     of the controller
//   explain NAME                    as `berth explain placement NAME` would
//   advance 1s                      lets time pass and prints where placements go, with the time

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/placement_decision.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "control/recorder_service.h"
#include "control/testing/model_hub_service.h"
#include "placement/clustersets/clustersets_controller.h"
#include "placement/explaining/explain_text.h"
#include "placement/placement_controller.h"
#include "sim/world.h"
#include "suites.h"

namespace berth::scenarios {
namespace {

using json::Value;
using placement::resource_of;
using placement::Watched;

constexpr const char* kNamespace = "default";

class Controllers {
 public:
  explicit Controllers(const env::Env& env)
      : api_(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers_(env, api_),
        recorder_(env, api_, {.controller = "placement-controller", .instance = "scenario"}),
        sets_(env, api_, informers_, [] { return true; }),
        placement_(env, api_, informers_, recorder_, [] { return true; }, {}) {}

 private:
  client::Api api_;
  client::Informers informers_;
  control::RecorderService recorder_;
  placement::ClusterSetsController sets_;
  placement::PlacementController placement_;
};

Value prioritizer(std::string_view text) {
  const auto parts = split(text, ':');
  const auto path = split(parts[0], '/');
  Value coordinate =
      path.size() == 3
          ? Value::object(
                {{"type", "AddOn"},
                 {"addOn", Value::object({{"resourceName", path[1]}, {"scoreName", path[2]}})}})
          : Value::object({{"type", "BuiltIn"}, {"builtIn", path[0]}});
  const std::int64_t weight = parts.size() > 1 ? parse_int64(parts[1]).value_or(1) : 1;
  return Value::object({{"scoreCoordinate", std::move(coordinate)}, {"weight", weight}});
}

class Fleet {
 public:
  using Command = sim::ScenarioCommand;
  using Printed = Result<std::string>;

  Fleet() {
    hub_.on_write = [this](const auto& written) {
      if (written.what.contains("placementdecisions")) tell();
    };
    put(Watched::Bindings, "global", Value::object({{"clusterSet", "global"}}));
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("controller").start([](std::span<env::Env> loops) {
      return std::make_shared<Controllers>(loops[0]);
    });
  }

  Printed add_cluster(const Command& command) {
    ASSIGN_OR_RETURN(const std::string name, command.argument(0, "a name"));
    Value labels = Value::object({{"cluster.open-cluster-management.io/clusterset", "default"}});
    for (const auto& [key, value] : command.options) labels[key] = value;
    hub_.put(resource_of(Watched::Clusters),
             Value::object({{"metadata", Value::object({{"name", name}, {"labels", labels}})},
                            {"spec", Value::object()}}));
    return std::string();
  }

  Printed remove_cluster(const Command& command) {
    ASSIGN_OR_RETURN(const std::string name, command.argument(0, "a cluster"));
    hub_.erase(resource_of(Watched::Clusters), name);
    return std::string();
  }

  // An empty effect takes the taint away.
  Printed taint(const Command& command, const std::string& effect) {
    ASSIGN_OR_RETURN(const std::string name, command.argument(0, "a cluster"));
    const Value* known = hub_.find(resource_of(Watched::Clusters), name);
    if (!known) return failure(command.error("there is no cluster " + name));
    Value cluster = *known;
    Value taints = Value::array();
    if (!effect.empty()) {
      taints.push_back(Value::object(
          {{"key", "trouble"}, {"effect", effect}, {"timeAdded", format_seconds(now())}}));
    }
    cluster["spec"]["taints"] = std::move(taints);
    hub_.put(resource_of(Watched::Clusters), std::move(cluster));
    return std::string();
  }

  Printed publish(const Command& command) {
    ASSIGN_OR_RETURN(const std::string cluster, command.argument(0, "a cluster"));
    ASSIGN_OR_RETURN(const std::string value, command.argument(1, "a score"));
    ASSIGN_OR_RETURN(const Duration valid, command.duration_or("valid", std::chrono::hours(1)));
    const Value score =
        Value::object({{"name", "free"}, {"value", parse_int64(value).value_or(0)}});
    hub_.put(resource_of(Watched::Scores),
             Value::object({{"metadata", Value::object({{"name", "gpu"}, {"namespace", cluster}})},
                            {"status", Value::object({{"validUntil", format_seconds(now() + valid)},
                                                      {"scores", Value::array({score})}})}}));
    return std::string();
  }

  Printed place(const Command& command) {
    ASSIGN_OR_RETURN(const std::string name, command.argument(0, "a name"));
    Value spec = Value::object();
    if (const auto count = parse_int64(command.option_or("count", ""))) {
      spec["numberOfClusters"] = *count;
    }
    if (const std::string by = command.option_or("by", ""); !by.empty()) {
      Value configurations = Value::array();
      for (const auto each : split(by, ',')) configurations.push_back(prioritizer(each));
      spec["prioritizerPolicy"] =
          Value::object({{"mode", "Exact"}, {"configurations", std::move(configurations)}});
    }
    if (const std::string where = command.option_or("where", ""); !where.empty()) {
      spec["predicates"] = Value::array({where_label(where)});
    }
    ASSIGN_OR_RETURN(const Duration tolerates, command.duration_or("tolerates", Duration::zero()));
    if (tolerates > Duration::zero()) {
      spec["tolerations"] = Value::array({Value::object(
          {{"operator", "Exists"}, {"tolerationSeconds", tolerates / std::chrono::seconds(1)}})});
    }
    put(Watched::Placements, name, std::move(spec));
    return std::string();
  }

  Printed explain(const Command& command) {
    ASSIGN_OR_RETURN(const std::string name, command.argument(0, "a placement"));
    placement::Situation situation{placement::Options{}};
    for (const Watched kind : placement::kWatched) {
      for (const auto& [key, object] : hub_.store(resource_of(kind)).state()) {
        situation.put(kind, object);
      }
    }
    const placement::CompiledPlacement* found = situation.find({kNamespace, name});
    if (!found) return failure(command.error("there is no placement " + name));
    return to_text(placement::explain(*found, situation.fleet(), now(), situation.options()),
                   placement::ExplainFormat::Table);
  }

  Printed pause(const Command& command) {
    ASSIGN_OR_RETURN(const Duration length, command.duration(0, "a length of time"));
    if (controller().is_running()) controller().process()->pause_for(length);
    return std::string();
  }

  Printed advance(const Command& command) {
    ASSIGN_OR_RETURN(const Duration length, command.duration(0, "a length of time"));
    world_.run_for(length);
    return std::exchange(story_, {});
  }

  sim::World& world() { return world_; }
  sim::Node& controller() { return world_.node("controller"); }

 private:
  static Value where_label(std::string_view text) {
    const auto parts = split(text, ':');
    Value labels = Value::object();
    labels[parts[0]] = parts.size() > 1 ? parts[1] : std::string_view();
    return Value::object(
        {{"requiredClusterSelector",
          Value::object({{"labelSelector", Value::object({{"matchLabels", labels}})}})}});
  }

  // Whoever changes a spec leaves the status alone.
  void put(Watched kind, const std::string& name, Value spec) {
    Value object =
        Value::object({{"metadata", Value::object({{"name", name}, {"namespace", kNamespace}})},
                       {"spec", std::move(spec)}});
    const Value* old = hub_.find(resource_of(kind), fmt::format("{}/{}", kNamespace, name));
    const Value* status = old ? old->find("status") : nullptr;
    if (status) object["status"] = *status;
    hub_.put(resource_of(kind), std::move(object));
  }

  // Of placements that go elsewhere now.
  void tell() {
    std::map<std::string, std::vector<std::string>> places;
    for (const auto& [key, object] : hub_.store(resource_of(Watched::Decisions)).state()) {
      const auto decision = api::read_placement_decision(object);
      for (const auto& choice : decision.decisions) {
        places[std::string(decision.placement())].push_back(choice.cluster);
      }
    }
    for (const auto& [key, object] : hub_.store(resource_of(Watched::Placements)).state()) {
      const std::string name = key.substr(std::string_view(kNamespace).size() + 1);
      const std::string text = places[name].empty() ? "nowhere" : join(places[name], ", ");
      std::string& told = told_.try_emplace(name, "nowhere").first->second;
      if (std::exchange(told, text) == text) continue;
      const double seconds = std::chrono::duration<double>(world_.now()).count();
      story_ += fmt::format("{:.1f}s  {} -> {}\n", seconds, name, text);
    }
  }

  Time now() const { return sim::NodeClock::kBeginning + world_.now(); }

  control::testing::ModelHub hub_;
  std::map<std::string, std::string> told_;
  std::string story_;
  sim::World world_{{.seed = 1}};  // Dies first: its programs look at the hub.
};

}  // namespace

sim::ScenarioHandlers placement_suite() {
  const auto fleet = std::make_shared<Fleet>();
  const auto does = [fleet](auto action) {
    return [fleet, action](const sim::ScenarioCommand& /*command*/) -> Result<std::string> {
      action(*fleet);
      return std::string();
    };
  };
  return {
      {"cluster", [fleet](const auto& command) { return fleet->add_cluster(command); }},
      {"remove", [fleet](const auto& command) { return fleet->remove_cluster(command); }},
      {"taint",
       [fleet](const auto& command) -> Result<std::string> {
         ASSIGN_OR_RETURN(const std::string effect, command.argument(1, "an effect"));
         return fleet->taint(command, effect);
       }},
      {"untaint", [fleet](const auto& command) { return fleet->taint(command, ""); }},
      {"score", [fleet](const auto& command) { return fleet->publish(command); }},
      {"place", [fleet](const auto& command) { return fleet->place(command); }},
      {"explain", [fleet](const auto& command) { return fleet->explain(command); }},
      {"pause", [fleet](const auto& command) { return fleet->pause(command); }},
      {"advance", [fleet](const auto& command) { return fleet->advance(command); }},
      {"crash", does([](Fleet& it) { it.controller().crash(sim::Crash::Process); })},
      {"restart", does([](Fleet& it) { it.controller().restart(); })},
      {"cut", does([](Fleet& it) { it.world().fabric().cut_streams("server", "controller"); })},
      {"block", does([](Fleet& it) { it.world().fabric().block("server", "controller"); })},
      {"heal", does([](Fleet& it) { it.world().fabric().heal(); })},
  };
}

}  // namespace berth::scenarios
