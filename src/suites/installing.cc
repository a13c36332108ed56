#include "suites/installing.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/addons/addons_controller.h"
#include "fleet/addons/names.h"
#include "fleet/addons/spec_hash.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "json/print.h"
#include "suites/simulated_hub.h"
#include "suites/trouble.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using api::field;
using api::text_field;
using client::Gvr;
using client::ResourcePath;
using fleet::AddOnResource;
using json::Value;

constexpr Duration kBusy = 3min;
constexpr Duration kTick = 1s;
constexpr int kClusters = 6;
constexpr std::string_view kName = "score";

Value parsed(std::string_view text) { return json::parse(text).value(); }

std::vector<Value> add_on_definitions() {
  const auto of = [](AddOnResource kind, const char* name, KindScope scope) {
    return plain_definition(fleet::resource_of(kind), name, scope);
  };
  return {of(AddOnResource::AddOns, "ClusterManagementAddOn", KindScope::Cluster),
          of(AddOnResource::Managed, "ManagedClusterAddOn", KindScope::Namespaced),
          of(AddOnResource::Templates, "AddOnTemplate", KindScope::Cluster),
          of(AddOnResource::Configs, "AddOnDeploymentConfig", KindScope::Namespaced),
          of(AddOnResource::Placements, "Placement", KindScope::Namespaced),
          of(AddOnResource::Decisions, "PlacementDecision", KindScope::Namespaced),
          of(AddOnResource::Clusters, "ManagedCluster", KindScope::Cluster),
          of(AddOnResource::Works, "ManifestWork", KindScope::Namespaced)};
}

// What runs beside the hub's server.
struct Manager {
  Manager(const env::Env& env, const client::ClientConfig& config, fleet::AddOnOptions options)
      : api(env, config, {.rate = {.per_second = 0}}),
        informers(env, api),
        controller(env, api, informers, [] { return true; }, options) {}

  client::Api api;
  client::Informers informers;
  fleet::AddOnsController controller;
};

enum class Strategy { All, Progressive, PerGroup };

// All that people want at the moment; ticks make it so, however often a hub forgets.
struct Wanted {
  std::set<std::string> chosen = {};
  bool has_placement = true;
  int version = 1;  // In the configuration.
  int image = 1;    // In the template.
  Strategy strategy = Strategy::All;
  std::size_t at_once = 1;
};

class Installing final : public sim::Workload {
 public:
  explicit Installing(InstallingMistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    constexpr double kKills[] = {0, 0.02, 0.1};
    kill_share_ = kKills[random_->below(std::size(kKills))];
    wanted_.strategy = static_cast<Strategy>(random_->below(3));
    wanted_.at_once = 1 + random_->below(3);
    for (int i = 1; i <= kClusters; ++i) clusters_.push_back(fmt::format("c{}", i));
    for (const std::string& cluster : clusters_) {
      if (random_->chance(0.5)) toggle(cluster);
    }
    hub_ = std::make_unique<SimulatedHub>(
        world, HubSetup{.definitions = add_on_definitions(),
                        .controllers =
                            [this](const env::Env& env, const client::ClientConfig& config) {
                              return make_manager(env, config);
                            },
                        .trouble = [this] { return is_busy() ? draw_trouble(*random_) : 0; },
                        .on_change = [this](const store::EntryChange& change) { judge(change); }});
    plan_tick();
    plan_mutation();
  }

  Status check() override {
    if (wrong_.empty()) return {};
    return failure(Code::InternalError, wrong_);
  }

  Status settled() override {
    if (is_busy() || !wanted_.has_placement) return missing("still changing");
    for (const std::string& cluster : clusters_) {
      const Status status =
          wanted_.chosen.contains(cluster) ? is_installed(cluster) : is_gone(cluster);
      if (!status.ok()) return status;
    }
    return {};
  }

 private:
  static Status missing(std::string what) { return failure(Code::Timeout, std::move(what)); }
  bool is_busy() const { return world_->now() < kBusy; }

  std::shared_ptr<void> make_manager(const env::Env& env, const client::ClientConfig& config) {
    if (mistake_ == InstallingMistake::NoManager) return nullptr;
    const bool is_hasty = mistake_ == InstallingMistake::Hasty;
    return std::make_shared<Manager>(env, config,
                                     is_hasty ? fleet::ocm_exact_add_ons() : fleet::AddOnOptions());
  }

  // --- What people, the placement controller and the clusters' agents do --------------------

  void plan_tick() {
    world_->schedule().add(world_->now() + kTick, [this] {
      if (hub_->is_up()) {
        furnish();
        decide();
        for (const std::string& cluster : clusters_) report(cluster);
      }
      plan_tick();
    });
  }

  void ensure(AddOnResource kind, const std::string& ns, const std::string& name,
              const Value& spec) {
    ensure(fleet::resource_of(kind), ns, name, spec);
  }

  void ensure(const Gvr& kind, const std::string& ns, const std::string& name, const Value& spec) {
    const auto there = hub_->find(kind, ns.empty() ? name : ns + "/" + name);
    Value object = Value::object({{"metadata", Value::object({{"name", name}})}});
    if (!ns.empty()) object["metadata"]["namespace"] = ns;
    if (!spec.is_null()) object["spec"] = spec;
    if (!there) return hub_->create(kind, object);
    if (spec.is_null() || field(*there, "spec") == spec) return;
    hub_->merge({.resource = kind, .ns = ns, .name = name}, Value::object({{"spec", spec}}));
  }

  void furnish() {
    ensure(fleet::namespaces(), "", "ns", Value());
    for (const std::string& cluster : clusters_) {
      ensure(fleet::namespaces(), "", cluster, Value());
      ensure(AddOnResource::Clusters, "", cluster, parsed(R"({"hubAcceptsClient":true})"));
    }
    ensure(AddOnResource::Configs, "ns", "d",
           parsed(fmt::format(R"({{"agentInstallNamespace":"","customizedVariables":[
               {{"name":"VERSION","value":"{}"}}]}})",
                              wanted_.version)));
    ensure(AddOnResource::Templates, "", "t", template_spec());
    ensure(AddOnResource::AddOns, "", std::string(kName), add_on_spec());
  }

  Value template_spec() const {
    return parsed(fmt::format(
        R"({{"addonName":"score","registration":[{{"type":"KubeClient","kubeClient":{{
            "hubPermissions":[{{"type":"CurrentCluster",
              "currentCluster":{{"clusterRoleName":"view"}}}}]}}}}],
          "agentSpec":{{"workload":{{"manifests":[{{"apiVersion":"apps/v1","kind":"Deployment",
            "metadata":{{"name":"agent","namespace":"agents"}},
            "spec":{{"template":{{"spec":{{"containers":[
              {{"name":"c","image":"i{}:{{{{VERSION}}}}"}}]}}}}}}}}]}}}}}})",
        wanted_.image));
  }

  Value add_on_spec() const {
    constexpr std::string_view kGroup = fleet::kAddOnGroup;
    Value placement = parsed(R"({"name":"p","namespace":"ns"})");
    placement["configs"] = Value::array({Value::object({{"group", kGroup},
                                                        {"resource", "addondeploymentconfigs"},
                                                        {"name", "d"},
                                                        {"namespace", "ns"}})});
    const bool is_reckless = mistake_ == InstallingMistake::Reckless;
    if (wanted_.strategy == Strategy::Progressive && !is_reckless) {
      placement["rolloutStrategy"] = parsed(fmt::format(
          R"({{"type":"Progressive","progressive":{{"maxConcurrency":{}}}}})", wanted_.at_once));
    } else if (wanted_.strategy == Strategy::PerGroup) {
      placement["rolloutStrategy"] = parsed(R"({"type":"ProgressivePerGroup"})");
    }
    Value spec = parsed(R"({"supportedConfigs":[
        {"group":"addon.open-cluster-management.io","resource":"addontemplates",
         "defaultConfig":{"name":"t"}},
        {"group":"addon.open-cluster-management.io","resource":"addondeploymentconfigs"}],
        "installStrategy":{"type":"Placements"}})");
    spec["installStrategy"]["placements"] = Value::array({placement});
    return spec;
  }

  // As a placement controller writes it: first the decisions, each a group, then the status.
  void decide() {
    const Gvr placements = fleet::resource_of(AddOnResource::Placements);
    const Gvr decisions = fleet::resource_of(AddOnResource::Decisions);
    if (!wanted_.has_placement) {
      for (const char* name : {"p-1", "p-2"}) {
        hub_->remove({.resource = decisions, .ns = "ns", .name = name});
      }
      return hub_->remove({.resource = placements, .ns = "ns", .name = "p"});
    }
    const auto placement = hub_->find(placements, "ns/p");
    if (!placement) return ensure(placements, "ns", "p", Value::object());
    if (!decide_group(0) || !decide_group(1)) return;
    const Value status = parsed(fmt::format(R"({{"numberOfSelectedClusters":{},
        "conditions":[{{"type":"PlacementSatisfied","status":"True"}}]}})",
                                            wanted_.chosen.size()));
    if (field(*placement, "status") == status) return;
    hub_->merge({.resource = placements, .ns = "ns", .name = "p", .subresource = "status"},
                Value::object({{"status", status}}));
  }

  // Whether there was nothing to do.
  bool decide_group(int index) {
    const Gvr decisions = fleet::resource_of(AddOnResource::Decisions);
    const std::string name = fmt::format("p-{}", index + 1);
    Value list = Value::array();
    for (const std::string& cluster : wanted_.chosen) {
      const bool is_first = cluster < "c4";
      if (is_first == (index == 0)) {
        list.push_back(Value::object({{"clusterName", cluster}, {"reason", ""}}));
      }
    }
    const auto there = hub_->find(decisions, "ns/" + name);
    if (!there) {
      Value object = parsed(R"({"metadata":{"namespace":"ns","labels":{
          "cluster.open-cluster-management.io/placement":"p"}}})");
      object["metadata"]["name"] = name;
      object["metadata"]["labels"]["cluster.open-cluster-management.io/decision-group-index"] =
          std::to_string(index);
      hub_->create(decisions, object);
      return false;
    }
    if (field(field(*there, "status"), "decisions") == list) return true;
    hub_->merge({.resource = decisions, .ns = "ns", .name = name, .subresource = "status"},
                Value::object({{"status", Value::object({{"decisions", list}})}}));
    return false;
  }

  // What the work agent of a cluster says, sooner or later, unless nobody hears of the cluster.
  void report(const std::string& cluster) {
    const bool is_heard = world_->now() >= unheard_until_[cluster] && random_->chance(0.5);
    if (!is_heard) return;
    const Gvr works = fleet::resource_of(AddOnResource::Works);
    for (const Value& work : hub_->list(works, cluster)) {
      const api::Metadata metadata(work);
      const Value status = parsed(fmt::format(
          R"({{"conditions":[{{"type":"Applied","status":"True","observedGeneration":{0}}},
                {{"type":"Available","status":"True","observedGeneration":{0}}}],
              "resourceStatus":{{"manifests":[{{"resourceMeta":{{"group":"apps",
                "resource":"deployments","name":"agent","namespace":"agents"}},
                "statusFeedback":{{"values":[{{"name":"ReadyReplicas",
                  "fieldValue":{{"type":"Integer","integer":1}}}},{{"name":"Replicas",
                  "fieldValue":{{"type":"Integer","integer":1}}}}]}}}}]}}}})",
          metadata.generation()));
      if (metadata.is_being_deleted() || field(work, "status") == status) continue;
      hub_->merge({.resource = works,
                   .ns = cluster,
                   .name = std::string(metadata.name()),
                   .subresource = "status"},
                  Value::object({{"status", status}}));
    }
  }

  // --- What changes ---------------------------------------------------------------------------

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 10'000));
    world_->schedule().add(world_->now() + gap, [this] {
      mutate();
      if (is_busy()) plan_mutation();
    });
  }

  void mutate() {
    const std::string& cluster = clusters_[random_->below(clusters_.size())];
    const auto draw = random_->below(10);
    if (draw < 3) return toggle(cluster);
    if (draw < 6) newest_since_ = world_->now();
    if (draw < 5) ++wanted_.version;
    if (draw == 5) ++wanted_.image;
    if (draw == 6) unheard_until_[cluster] = world_->now() + 1min;
    if (draw < 7) return;
    wanted_.has_placement = false;
    const Duration absence = std::chrono::milliseconds(random_->between(1, 60'000));
    world_->schedule().add(world_->now() + absence, [this] { wanted_.has_placement = true; });
  }

  void toggle(const std::string& cluster) {
    if (wanted_.chosen.erase(cluster) == 0) {
      wanted_.chosen.insert(cluster);
      chosen_since_[cluster] = world_->now();
    } else {
      chosen_since_.erase(cluster);
      may_go_.insert(cluster);
    }
  }

  // --- What must never happen -----------------------------------------------------------------

  void judge(const store::EntryChange& change) {
    const std::string managed = fleet::resource_of(AddOnResource::Managed).text();
    const std::string works = fleet::resource_of(AddOnResource::Works).text();
    if (change.key.table != managed && change.key.table != works) return;
    perhaps_kill();
    if (change.key.table != managed) return;
    const std::string cluster = change.key.name.substr(0, change.key.name.find('/'));
    const bool is_wanted = wanted_.chosen.contains(cluster);
    if (!change.after && !may_go_.contains(cluster)) {
      wrong_ = change.key.name + " was wanted all the time and was uninstalled";
    }
    if (!change.before && is_wanted) may_go_.erase(cluster);
    if (wanted_.strategy != Strategy::Progressive) return;
    if (const std::size_t busy = in_progress(); busy > wanted_.at_once) {
      wrong_ = fmt::format("{} clusters got a change at once, {} may", busy, wanted_.at_once);
    }
  }

  // How many clusters have been handed what is newest now, and are not through with it. Those that
  // were chosen after it became the newest do not count: nobody can tell what they began with.
  std::size_t in_progress() const {
    std::size_t count = 0;
    for (const Value& managed : hub_->list(fleet::resource_of(AddOnResource::Managed))) {
      const auto since = chosen_since_.find(std::string(api::Metadata(managed).namespace_name()));
      if (since == chosen_since_.end() || since->second >= newest_since_) continue;
      if (is_under_way(managed)) ++count;
    }
    return count;
  }

  bool is_under_way(const Value& managed) const {
    bool has_newest = true;
    bool is_through = true;
    for (const Value& reference :
         api::elements_field(field(managed, "status"), "configReferences")) {
      const std::string newest = newest_hash(text_field(reference, "resource"));
      const auto is_newest = [&](const char* name) {
        return text_field(field(reference, name), "specHash") == newest;
      };
      has_newest = has_newest && is_newest("desiredConfig");
      is_through = is_through && is_newest("lastAppliedConfig");
    }
    return has_newest && !is_through;
  }

  std::string newest_hash(const std::string& resource) const {
    const bool is_template = resource == "addontemplates";
    const auto object = is_template
                            ? hub_->find(fleet::resource_of(AddOnResource::Templates), "t")
                            : hub_->find(fleet::resource_of(AddOnResource::Configs), "ns/d");
    return object ? fleet::spec_hash(*object) : "";
  }

  void perhaps_kill() {
    if (!is_busy() || !random_->chance(kill_share_)) return;
    world_->schedule().add(world_->now(), [this] {
      sim::Node& node = world_->node(std::string(SimulatedHub::kHost));
      if (!node.is_running()) return;
      node.crash(sim::Crash::Process);
      node.restart_after(std::chrono::milliseconds(random_->between(1, 2000)));
    });
  }

  // --- What must be so in the end -------------------------------------------------------------

  Status is_installed(const std::string& cluster) const {
    const auto managed = hub_->find(fleet::resource_of(AddOnResource::Managed),
                                    fmt::format("{}/{}", cluster, kName));
    if (!managed) return missing(cluster + " lacks the add-on");
    const bool is_through = api::is_condition_true(*managed, "Available") &&
                            api::is_condition_true(*managed, "Configured") &&
                            api::is_condition_false(*managed, "Progressing");
    if (!is_through) return missing(cluster + " is not through: " + json::print(*managed));
    const std::string image = fmt::format("i{}:{}", wanted_.image, wanted_.version);
    for (const Value& work : hub_->list(fleet::resource_of(AddOnResource::Works), cluster)) {
      if (json::print(work).contains("\"" + image + "\"")) return {};
    }
    return missing(cluster + " does not have " + image);
  }

  Status is_gone(const std::string& cluster) const {
    for (const std::string& key : hub_->keys_in(cluster)) {
      const bool is_everybodys =
          key.starts_with("configmaps/") || key.starts_with("serviceaccounts/");
      if (!is_everybodys) return missing(key + " should be gone");
    }
    return {};
  }

  InstallingMistake mistake_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  std::unique_ptr<SimulatedHub> hub_;
  std::vector<std::string> clusters_;
  Wanted wanted_;
  Duration newest_since_ = Duration::zero();      // The configuration or the template.
  std::map<std::string, Duration> chosen_since_;  // Of those that are chosen.
  std::set<std::string> may_go_;  // Clusters that did not want it at some time since they got it.
  std::map<std::string, Duration> unheard_until_;
  double kill_share_ = 0;
  std::string wrong_;
};

}  // namespace

sim::Suite installing_suite(InstallingMistake mistake) {
  return {.name = "installing",
          .make = [mistake] { return std::make_unique<Installing>(mistake); },
          .faults = {"bad-network", "clogs", "cut-streams", "kills", "partitions", "power-losses"},
          .faulty = kBusy,
          .settles_within = 30min};
}

}  // namespace berth::suites
