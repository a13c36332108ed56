#include "suites/staging.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "control/recorder_service.h"
#include "control/testing/model_hub_service.h"
#include "fleet/registration/certificate_step.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"
#include "json/yaml_read.h"
#include "local/example_cluster.h"
#include "local/scenario_play.h"
#include "placement/clustersets/clustersets_controller.h"
#include "placement/explaining/explain_text.h"
#include "placement/placement_controller.h"
#include "scores/usage/usage_agent_service.h"
#include "suites/joining_machines.h"
#include "suites/simulated_hub.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using api::field;
using api::text_field;
using json::Value;
using placement::resource_of;
using placement::Watched;

constexpr Duration kPeriod = 500ms;  // Of whoever stages it.
constexpr Duration kBeginsWithin = 10min;

// What agents need to ask, what score agents may do, and what placements are made of.
constexpr std::string_view kFurniture = R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: score-agents}
rules:
- {apiGroups: [cluster.open-cluster-management.io],
   resources: [addonplacementscores, addonplacementscores/status],
   verbs: [get, list, watch, create, update, patch]}
- {apiGroups: [addon.open-cluster-management.io], resources: [managedclusteraddons], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: score-agents}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: score-agents}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group,
   name: "system:open-cluster-management:managed-clusters"}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: default}
spec: {clusterSet: default}
)";

const client::Gvr& pods() {
  static const client::Gvr gvr{"", "v1", "pods"};
  return gvr;
}

std::vector<Value> definitions() {
  std::vector<Value> all = fleet_definitions();
  const auto add = [&all](Watched kind, const std::string& name, KindScope scope) {
    all.push_back(plain_definition(resource_of(kind), name, scope));
  };
  add(Watched::Sets, "ManagedClusterSet", KindScope::Cluster);
  add(Watched::Bindings, "ManagedClusterSetBinding", KindScope::Namespaced);
  add(Watched::Placements, "Placement", KindScope::Namespaced);
  add(Watched::Decisions, "PlacementDecision", KindScope::Namespaced);
  return all;
}

// What runs beside the hub's server.
struct Controllers {
  Controllers(const env::Env& env, const client::ClientConfig& config)
      : registration(run_registration(env, config, {})),
        api(env, config, {.rate = {.per_second = 0}}),
        informers(env, api),
        recorder(env, api, {.controller = "placement-controller", .instance = "hub"}),
        sets(env, api, informers, [] { return true; }),
        placement(env, api, informers, recorder, [] { return true; }, {}) {}

  std::shared_ptr<void> registration;
  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  placement::ClusterSetsController sets;
  placement::PlacementController placement;
};

// What publishes a cluster's room.
struct ScoreAgent {
  ScoreAgent(const env::Env& env, const std::string& name, const client::ClientConfig& access,
             const local::Scenario& scenario)
      : spoke(env, spoke_config(name), {.rate = {.per_second = 0}}),
        hub(env, access, {.rate = {.per_second = 0}}),
        agent(env, spoke, hub,
              {.cluster = name,
               .times = {.refresh = scenario.score_refresh,
                         .validity = scenario.score_validity(),
                         .change_interval = scenario.score_change_interval()}}) {}

  client::Api spoke;
  client::Api hub;
  scores::UsageAgent agent;
};

// A machine that can be switched on and off.
struct Switch {
  std::string machine;
  bool was_on = false;
  bool is_on = false;
};

struct Cluster {
  local::ScenarioCluster script;
  Switch agent;
  Switch scores;
  std::optional<client::ClientConfig> access = std::nullopt;  // Of its agents to the hub.
  std::int64_t pods = 0;
  control::testing::ModelHub spoke = {};
};

class Stage {
 public:
  Stage(const local::Scenario& scenario, std::uint64_t seed)
      : scenario_(scenario), world_({.seed = seed}) {
    hub_ = std::make_unique<SimulatedHub>(
        world_,
        HubSetup{.definitions = definitions(),
                 .controllers = [](const env::Env& env,
                                   const client::ClientConfig& config) -> std::shared_ptr<void> {
                   return std::make_shared<Controllers>(env, config);
                 }});
    for (const local::ScenarioCluster& script : scenario.clusters) {
      Cluster& cluster = clusters_[script.name];
      cluster.script = script;
      cluster.agent.machine = "agent-" + script.name;
      cluster.scores.machine = "scores-" + script.name;
      add_machines(cluster);
    }
  }

  Result<Staged> play() {
    const sim::Moment opened = world_.now();
    while (!is_ready()) {
      if (world_.now() - opened > kBeginsWithin) {
        return failure(Code::Timeout, fmt::format("not all clusters have joined with scores; {}",
                                                  fmt::join(world_.log().lines(), "\n")));
      }
      move(Duration::zero());
    }
    const sim::Moment begin = world_.now();
    local::ScenarioJudge judge(scenario_);
    Staged staged;
    for (Duration elapsed = 0s; !judge.is_over(elapsed); elapsed = world_.now() - begin) {
      move(elapsed);
      const auto decisions = hub_->list(resource_of(Watched::Decisions));
      for (const auto& verdict : judge.look(elapsed, local::decided_by(decisions))) {
        staged.told.push_back(verdict.text);
        if (!verdict.came_true) staged.told.push_back(explanation(verdict.placement));
      }
    }
    staged.failures = judge.failures();
    return staged;
  }

 private:
  void add_machines(Cluster& cluster) {
    const std::string& name = cluster.script.name;
    for (int i = 1; i <= cluster.script.nodes; ++i) {
      cluster.spoke.put(fleet::nodes(), local::example_node(i));
    }
    world_.add_node("spoke-" + name).start([&cluster](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster.spoke.serve(
          loops[0], {.page = [](const std::string& path) { return spoke_page(path); }}));
    });
    world_.add_node(cluster.agent.machine);
    world_.add_node(cluster.scores.machine);
  }

  // --- The play -----------------------------------------------------------------------------

  bool is_ready() const {
    return std::ranges::all_of(scenario_.first_clusters, [this](const std::string& name) {
      const auto cluster = hub_->find(fleet::managed_clusters(), name);
      const auto score = hub_->find(fleet::placement_scores(), name + "/resource-usage-score");
      return cluster && api::is_condition_true(*cluster, fleet::kAvailable) && score &&
             !text_field(field(*score, "status"), "validUntil").empty();
    });
  }

  // One period of the world, with the fleet as it should be then. Whoever asks to join a hub that
  // is not ready for it may wait for long.
  void move(Duration elapsed) {
    const bool is_furnished = furnish();
    for (const auto& [name, scene] : local::scene_at(scenario_, elapsed)) {
      Cluster& cluster = clusters_.at(name);
      if (!scene.is_there || !is_furnished) continue;
      set_load(cluster, scene.load);
      turn(cluster.agent, !scene.is_out, [this, &cluster](std::span<env::Env> loops) {
        return run_agent(loops[0], *hub_, cluster.script.name,
                         {.ready = [&cluster](const client::Api& hub, const fleet::AgentName&) {
                           cluster.access = hub.config();
                         }});
      });
      const bool scores = cluster.access && !scene.is_out && !scene.is_silent;
      turn(cluster.scores, scores, [this, &cluster](std::span<env::Env> loops) {
        return std::make_shared<ScoreAgent>(loops[0], cluster.script.name, *cluster.access,
                                            scenario_);
      });
    }
    administer();
    world_.run_for(kPeriod);
  }

  // Off as by a power cut: nobody is told.
  void turn(Switch& machine, bool on, const sim::Program& program) {
    if (machine.is_on == on) return;
    sim::Node& node = world_.node(machine.machine);
    if (!on) {
      node.crash(sim::Crash::Power);
    } else if (machine.was_on) {
      node.restart();
    } else {
      node.start(program);
    }
    machine.is_on = on;
    machine.was_on = true;
  }

  static void set_load(Cluster& cluster, int percent) {
    const std::int64_t wanted = local::example_pods(cluster.script.nodes, percent / 100.0);
    for (; cluster.pods > wanted; --cluster.pods) {
      cluster.spoke.erase(pods(), fmt::format("default/web-{}", cluster.pods));
    }
    while (cluster.pods < wanted) {
      Value pod = field(field(local::example_workload(1), "spec"), "template");
      ++cluster.pods;
      pod["metadata"]["name"] = fmt::format("web-{}", cluster.pods);
      pod["metadata"]["namespace"] = "default";
      pod["spec"]["nodeName"] = fmt::format("node{}", 1 + cluster.pods % cluster.script.nodes);
      pod["status"]["phase"] = "Running";
      cluster.spoke.put(pods(), pod);
    }
  }

  // --- What administrators do ---------------------------------------------------------------

  void administer() {
    for (const auto& [name, cluster] : clusters_) accept(cluster.script);
    for (const Value& request : hub_->list(fleet::certificate_requests())) approve(request);
  }

  // Makes what is not there; whether it is.
  bool need(const client::Gvr& resource, const Value& object) {
    const api::ObjectFacts facts = api::read_facts(object);
    const std::string key = facts.object_namespace.empty()
                                ? facts.name
                                : fmt::format("{}/{}", facts.object_namespace, facts.name);
    if (hub_->find(resource, key)) return true;
    hub_->create(resource, object);
    return false;
  }

  bool furnish() {
    if (!hub_->is_up()) return false;
    const auto others = json::read_yaml(kFurniture).value();
    std::vector<std::pair<client::Gvr, Value>> furniture = {
        {fleet::cluster_roles(), fleet::bootstrap_role()},
        {fleet::cluster_role_bindings(), fleet::bootstrap_binding()},
        {fleet::cluster_roles(), others[0]},
        {fleet::cluster_role_bindings(), others[1]},
        {resource_of(Watched::Bindings), others[2]}};
    for (const std::string_view name : {std::string_view("default"), fleet::kHubNamespace}) {
      furniture.emplace_back(fleet::namespaces(),
                             Value::object({{"metadata", Value::object({{"name", name}})}}));
    }
    for (const Value& placement : scenario_.placements) {
      furniture.emplace_back(resource_of(Watched::Placements), placement);
    }
    bool is_there = true;
    for (const auto& [resource, object] : furniture) is_there &= need(resource, object);
    return is_there;
  }

  void accept(const local::ScenarioCluster& script) {
    const auto object = hub_->find(fleet::managed_clusters(), script.name);
    if (!object || field(field(*object, "spec"), "hubAcceptsClient").as_bool().value_or(false)) {
      return;
    }
    hub_->merge({.resource = fleet::managed_clusters(), .name = script.name},
                local::acceptance(scenario_, script));
  }

  void approve(const Value& request) {
    const auto agent = fleet::requested_agent(request);
    if (!fleet::is_undecided(request) || !agent.ok()) return;
    hub_->update({.resource = fleet::certificate_requests(),
                  .name = std::string(api::Metadata(request).name()),
                  .subresource = "approval"},
                 fleet::approved(request, "Staged", "A cluster of the scenario.", hub_->now()));
  }

  std::string explanation(const std::string& name) const {
    placement::Situation situation(placement::Options{});
    for (int round = 0; round < 2; ++round) {  // Clusters again, for expressions.
      for (const Watched kind : placement::kWatched) {
        for (const Value& object : hub_->list(resource_of(kind))) situation.put(kind, object);
      }
    }
    const placement::CompiledPlacement* placement = situation.find({"default", name});
    if (!placement) return "there is no such placement";
    return to_text(
        placement::explain(*placement, situation.fleet(), hub_->now(), situation.options()),
        placement::ExplainFormat::Table);
  }

  const local::Scenario& scenario_;
  std::map<std::string, Cluster> clusters_;
  std::unique_ptr<SimulatedHub> hub_;
  sim::World world_;  // Dies first: its programs look at all the others.
};

}  // namespace

Result<Staged> stage(const local::Scenario& scenario, std::uint64_t seed) {
  return Stage(scenario, seed).play();
}

}  // namespace berth::suites
