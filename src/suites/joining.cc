#include "suites/joining.h"

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
#include "control/testing/model_hub_service.h"
#include "fleet/registration/certificate_step.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/liveness.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "suites/joining_machines.h"
#include "suites/joining_outcome.h"
#include "suites/simulated_hub.h"
#include "suites/trouble.h"
#include "upkeep/resources.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using api::field;
using api::text_field;
using client::Gvr;
using json::Value;

constexpr Duration kBusy = 3min;
constexpr Duration kAdminPeriod = 5s;
constexpr Duration kApart = 1h;
constexpr Duration kClockError = 10min;
// How long a decision may be on its way after what it was made of has changed.
constexpr Duration kStale = 2min;

enum class Wish {
  Joined,
  Denied,
  Gone,
  Lost,  // As if joined, but its agents never come back.
};

struct Cluster {
  std::vector<std::string> agents = {};  // Their machines.
  Wish wish = Wish::Joined;
  bool is_known = false;      // Administrators make its ManagedCluster if nobody else has.
  bool is_manned = true;      // Its agents run, or start again.
  std::string gone_uid = {};  // Of the ManagedCluster that had to go last.
  bool contents_may_go = false;
  bool rights_may_go = false;
  // Of its lease, by the hub's clock.
  Time fresh_since = Time::min();
  Time fresh_until = Time::min();
  control::testing::ModelHub spoke = {};
};

class Joining final : public sim::Workload {
 public:
  explicit Joining(JoiningMistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    constexpr Duration kLives[] = {30min, 2h, 24h};
    constexpr double kKills[] = {0, 0.1, 0.5, 1};
    kill_share_ = kKills[random_->below(std::size(kKills))];
    hub_ = std::make_unique<SimulatedHub>(
        world, HubSetup{.definitions = fleet_definitions(),
                        .certificate_life = kLives[random_->below(std::size(kLives))],
                        .controllers =
                            [this](const env::Env& env, const client::ClientConfig& config) {
                              return make_controllers(env, config);
                            },
                        .trouble = [this] { return is_busy() ? draw_trouble(*random_) : 0; },
                        .on_change = [this](const store::EntryChange& change) { judge(change); }});
    add_cluster("cluster1", {"agent-1a", "agent-1b"});
    add_cluster("cluster10", {"agent-10"});
    add_cluster(std::string(kForeign), {"agent-2"});
    plan_administration();
    plan_mutation();
    world.schedule().add(kBusy + 1s, [this] { begin_outage(); });
  }

  Status check() override {
    if (wrong_.empty()) return {};
    return failure(Code::InternalError, wrong_);
  }

  Status settled() override {
    if (world_->now() < quiet_from_) return missing("still changing");
    for (auto& [name, cluster] : clusters_) {
      Status status;
      if (cluster.wish == Wish::Joined) status = has_joined(*hub_, name);
      if (cluster.wish == Wish::Denied) status = is_denied(*hub_, name);
      if (cluster.wish == Wish::Lost) status = is_known_lost(*hub_, name);
      if (cluster.wish == Wish::Gone) status = has_left(*hub_, name);
      if (!status.ok()) return status;
    }
    return {};
  }

 private:
  static Status missing(std::string what) { return failure(Code::Timeout, std::move(what)); }
  bool is_busy() const { return world_->now() < kBusy; }

  std::shared_ptr<void> make_controllers(const env::Env& env, const client::ClientConfig& config) {
    if (mistake_ == JoiningMistake::NoController) return nullptr;
    return run_registration(
        env, config,
        fleet::HubOptions{.removes_everything = mistake_ != JoiningMistake::LeavesBehind});
  }

  void add_cluster(const std::string& name, std::vector<std::string> agents) {
    Cluster& cluster = clusters_[name];
    cluster.agents = std::move(agents);
    cluster.spoke.put(fleet::nodes(), json::parse(R"({"metadata":{"name":"n"},
        "status":{"capacity":{"cpu":"4"},"allocatable":{"cpu":"3"}}})")
                                          .value());
    cluster.spoke.on_write = [this, name](const auto&) { perhaps_kill(name); };
    world_->add_node("spoke-" + name).start([this, &cluster](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster.spoke.serve(
          loops[0], {.trouble = [this] { return is_busy() ? draw_trouble(*random_) : 0; },
                     .page = [](const std::string& path) { return spoke_page(path); }}));
    });
    for (const std::string& machine : cluster.agents) {
      world_->add_node(machine).start(
          [this, name, &cluster](std::span<env::Env> loops) -> std::shared_ptr<void> {
            if (!cluster.is_manned) return std::make_shared<int>(0);
            return run_agent(loops[0], *hub_, name);
          });
    }
  }

  // --- What administrators do ---------------------------------------------------------------

  void plan_administration() {
    world_->schedule().add(world_->now() + kAdminPeriod, [this] {
      administer();
      plan_administration();
    });
  }

  void administer() {
    if (!hub_->is_up()) return;
    if (!hub_->find(upkeep::config_maps(), std::string(kForeign) + "/keep")) return furnish();
    for (auto& [name, cluster] : clusters_) {
      const auto object = hub_->find(fleet::managed_clusters(), name);
      const bool is_wanted = cluster.wish == Wish::Joined || cluster.wish == Wish::Lost;
      if (is_wanted) approve(name);
      if (is_wanted && cluster.is_known && !object) {
        hub_->create(fleet::managed_clusters(), named(name));
      }
      if (!object || api::Metadata(*object).is_being_deleted()) continue;
      if (cluster.wish == Wish::Gone) {
        hub_->remove({.resource = fleet::managed_clusters(), .name = name});
      } else if (field(field(*object, "spec"), "hubAcceptsClient").as_bool().value_or(false) !=
                 is_wanted) {
        accept(name, is_wanted);
      }
    }
  }

  void accept(const std::string& name, const Value& is_wanted) {
    hub_->merge({.resource = fleet::managed_clusters(), .name = name},
                Value::object({{"spec", Value::object({{"hubAcceptsClient", is_wanted}})}}));
  }

  // What others have on the hub, and what agents need to ask.
  void furnish() {
    for (const std::string_view name : {kForeign, fleet::kHubNamespace}) {
      hub_->create(fleet::namespaces(),
                   Value::object({{"metadata", Value::object({{"name", name}})}}));
    }
    hub_->create(fleet::cluster_roles(), fleet::bootstrap_role());
    hub_->create(fleet::cluster_role_bindings(), fleet::bootstrap_binding());
    hub_->create(
        upkeep::config_maps(),
        Value::object({{"metadata", Value::object({{"name", "keep"}, {"namespace", kForeign}})}}));
  }

  // As `berth accept` does: what a bootstrap user asked for that cluster.
  void approve(const std::string& cluster) {
    for (const Value& request : hub_->list(fleet::certificate_requests())) {
      const auto agent = fleet::requested_agent(request);
      const std::string user = text_field(field(request, "spec"), "username");
      if (!fleet::is_undecided(request) || !agent.ok() || agent->cluster != cluster) continue;
      const bool is_bootstrapper = user.ends_with(fleet::kBootstrapAccount);
      const bool is_alike = mistake_ == JoiningMistake::TrustsPrefixes &&
                            fleet::user_of(*agent).starts_with(user.substr(0, user.rfind(':')));
      if (!is_bootstrapper && !is_alike) continue;
      hub_->update({.resource = fleet::certificate_requests(),
                    .name = std::string(api::Metadata(request).name()),
                    .subresource = "approval"},
                   fleet::approved(request, is_bootstrapper ? "Admin" : fleet::kRenewalReason, "m",
                                   hub_->now()));
    }
  }

  // --- What happens while there are faults --------------------------------------------------

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 15'000));
    world_->schedule().add(world_->now() + gap, [this] {
      if (!is_busy()) return;
      mutate();
      plan_mutation();
    });
  }

  std::string draw_cluster() {
    auto at = clusters_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random_->below(clusters_.size())));
    return at->first;
  }

  void mutate() {
    const std::string name = draw_cluster();
    const auto draw = random_->below(20);
    if (draw < 6) return join(name);
    if (draw < 8) return deny(name);
    if (draw < 11) return leave(name);
    if (draw < 16) return fill(name);
    if (draw < 18) return steal(name);
    if (mistake_ == JoiningMistake::DeletesTooMuch) {
      return hub_->remove(
          {.resource = fleet::leases(), .ns = name, .name = std::string(fleet::kClusterLease)});
    }
    disturb_clock(name);
  }

  void join(const std::string& name) {
    Cluster& cluster = clusters_.at(name);
    if (cluster.wish == Wish::Gone) {
      // Whoever left has forgotten the hub, or an administrator has not forgotten the cluster.
      cluster.is_known = random_->chance(0.5);
      if (!cluster.is_known) forget_hub(cluster);
      cluster.is_manned = true;
      for (const std::string& machine : cluster.agents) restart(machine);
    }
    cluster.wish = Wish::Joined;
  }

  static Value named(const std::string& name) {
    return Value::object({{"metadata", Value::object({{"name", name}})},
                          {"spec", Value::object({{"hubAcceptsClient", true}})}});
  }

  static void forget_hub(Cluster& cluster) {
    cluster.spoke.erase(fleet::secrets(),
                        fmt::format("{}/{}", fleet::kAgentNamespace, fleet::kHubSecret));
  }

  void deny(const std::string& name) {
    Cluster& cluster = clusters_.at(name);
    if (cluster.wish == Wish::Gone) return;
    cluster.wish = Wish::Denied;
    cluster.rights_may_go = true;
  }

  void leave(const std::string& name) {
    Cluster& cluster = clusters_.at(name);
    const auto object = hub_->find(fleet::managed_clusters(), name);
    cluster.wish = Wish::Gone;
    cluster.gone_uid = object ? std::string(api::Metadata(*object).uid()) : "";
    cluster.contents_may_go = true;
    cluster.rights_may_go = true;
    const Duration after = random_->chance(0.5) ? Duration::zero() : Duration(20s);
    world_->schedule().add(world_->now() + after, [this, &cluster] {
      if (cluster.wish == Wish::Gone) dismiss(cluster);
    });
  }

  void dismiss(Cluster& cluster) {
    cluster.is_manned = false;
    for (const std::string& machine : cluster.agents) restart(machine);
  }

  void restart(const std::string& machine) {
    sim::Node& node = world_->node(machine);
    if (node.is_running()) node.crash(sim::Crash::Process);
    node.restart_after(std::chrono::milliseconds(random_->between(1, 2000)));
  }

  // Something in the cluster's namespace, of all kinds that have to go with it.
  void fill(const std::string& name) {
    if (!hub_->find(fleet::managed_clusters(), name)) return;
    const Gvr kinds[] = {fleet::manifest_works(), fleet::managed_cluster_addons(),
                         fleet::placement_scores()};
    const Gvr& kind = kinds[random_->below(std::size(kinds))];
    Value object = Value::object(
        {{"metadata",
          Value::object({{"name", fmt::format("c{}", random_->below(4))}, {"namespace", name}})}});
    object["metadata"]["annotations"]["open-cluster-management.io/cleanup-priority"] =
        std::to_string(random_->below(3));
    if (kind == fleet::manifest_works()) {
      object["spec"]["workload"]["manifests"] = Value::array(
          {json::parse(
               R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","namespace":"n"}})")
               .value()});
    }
    if (clusters_.at(name).wish == Wish::Joined) hub_->create(kind, object);
  }

  // An agent asks for the certificate of another one.
  void steal(const std::string& thief) {
    const std::string victim = draw_cluster();
    const fleet::AgentName wanted{.cluster = victim, .agent = "thief"};
    const fleet::AgentName own{.cluster = thief, .agent = "thief"};
    if (victim == thief) return;
    Value request =
        fleet::certificate_request(wanted, pki::PrivateKey::generate(), Duration::zero()).value();
    hub_->create(fleet::certificate_requests(), request,
                 {.name = fleet::user_of(own),
                  .groups = {fleet::group_of(thief), std::string(fleet::kManagedClustersGroup)}});
  }

  // Until the outage is over.
  void disturb_clock(const std::string& name) {
    const Duration error = random_->chance(0.5) ? kClockError : -kClockError;
    for (const std::string& machine : clusters_.at(name).agents) {
      if (!disturbed_.insert(machine).second) continue;
      world_->node(machine).clock().step_wall(error);
      world_->schedule().add(kBusy + 20min, [this, machine, error] {
        world_->node(machine).clock().step_wall(-error);
      });
    }
  }

  // An agent dies at a write of its own, or right after it.
  void perhaps_kill(const std::string& name) {
    const Cluster& cluster = clusters_.at(name);
    if (!is_busy() || !cluster.is_manned || !random_->chance(kill_share_)) return;
    const std::string machine = cluster.agents[random_->below(cluster.agents.size())];
    world_->schedule().add(world_->now(), [this, machine] { restart(machine); });
  }

  // --- What lasts longer --------------------------------------------------------------------

  void begin_outage() {
    quiet_from_ = kBusy + 30min;
    const std::string name = draw_cluster();
    Cluster& cluster = clusters_.at(name);
    const auto draw = random_->below(4);
    if (draw > 0) quiet_from_ = kBusy + kApart + 10min;
    if (draw == 1) take_down(std::string(SimulatedHub::kHost));
    if (draw == 2) {
      for (const std::string& machine : cluster.agents) take_down(machine);
    }
    if (draw == 3) part(cluster.agents);
    if (cluster.wish == Wish::Joined && has_arrived(name) && random_->chance(0.3)) {
      cluster.wish = Wish::Lost;
      dismiss(cluster);
    }
  }

  // Whom nobody has heard of, nobody misses.
  bool has_arrived(const std::string& name) const {
    const auto object = hub_->find(fleet::managed_clusters(), name);
    return object && !api::Metadata(*object).is_being_deleted();
  }

  void take_down(const std::string& machine) {
    sim::Node& node = world_->node(machine);
    if (node.is_running()) node.crash(sim::Crash::Process);
    node.restart_after(kApart);
  }

  void part(const std::vector<std::string>& machines) {
    const std::string hub(SimulatedHub::kHost);
    for (const std::string& machine : machines) {
      world_->fabric().block(hub, machine);
      world_->fabric().block(machine, hub);
    }
    world_->schedule().add(world_->now() + kApart, [this] { world_->fabric().heal(); });
  }

  // --- What must never happen ---------------------------------------------------------------

  void judge(const store::EntryChange& change) {
    const std::string& table = change.key.table;
    if (!change.after) return judge_removal(table, change.key.name);
    const Value after = json::parse(change.after->text).value();
    const Value before = change.before ? json::parse(change.before->text).value() : Value::object();
    const std::string ns(api::Metadata(after).namespace_name());
    if (table == fleet::certificate_requests().text()) judge_request(before, after);
    if (table == fleet::managed_clusters().text()) judge_cluster(before, after);
    if (table == fleet::leases().text() && clusters_.contains(ns)) note_lease(ns, after);
  }

  void judge_request(const Value& before, const Value& after) {
    const bool is_decided_now = fleet::is_undecided(before) && !fleet::is_undecided(after);
    const auto agent = fleet::requested_agent(after);
    if (agent.ok() && clusters_.contains(agent->cluster)) perhaps_kill(agent->cluster);
    if (!is_decided_now) return;
    for (const Value& condition : api::elements_field(field(after, "status"), "conditions")) {
      const std::string user = text_field(field(after, "spec"), "username");
      const bool is_by_itself = text_field(condition, "reason") == fleet::kRenewalReason;
      if (is_by_itself && (!agent.ok() || fleet::user_of(*agent) != user)) {
        wrong_ = user + " was given the certificate of " + std::string(api::Metadata(after).name());
      }
    }
  }

  void judge_cluster(const Value& before, const Value& after) {
    const std::string name(api::Metadata(after).name());
    const auto found = clusters_.find(name);
    if (found == clusters_.end()) return;
    Cluster& cluster = found->second;
    if (before.size() > 0) perhaps_kill(name);
    const bool is_settled_in = cluster.wish == Wish::Joined &&
                               api::Metadata(after).uid() != cluster.gone_uid &&
                               !api::Metadata(after).is_being_deleted() &&
                               api::is_condition_true(after, fleet::kAvailable);
    if (is_settled_in) cluster.contents_may_go = false;
    const std::string reason = reason_of(after);
    const bool lost_it =
        reason == "ManagedClusterLeaseUpdateStopped" && reason_of(before) != reason;
    const Time now = hub_->now();
    if (lost_it && cluster.fresh_since + kStale < now && now < cluster.fresh_until) {
      wrong_ = name + " was called unreachable while its lease was fresh";
    }
  }

  static std::string reason_of(const Value& cluster) {
    const Value* condition =
        api::find_condition(field(field(cluster, "status"), "conditions"), fleet::kAvailable);
    return condition ? text_field(*condition, "reason") : "";
  }

  void note_lease(const std::string& name, const Value& lease) {
    Cluster& cluster = clusters_.at(name);
    perhaps_kill(name);
    const Time now = hub_->now();
    if (cluster.fresh_until <= now) cluster.fresh_since = now;
    cluster.fresh_until = fleet::lease_end(Value::object(), lease);
  }

  void judge_removal(const std::string& table, const std::string& key) {
    const std::string prefix = fleet::cluster_role_name("");
    const bool is_role =
        table == fleet::cluster_roles().text() || table == fleet::cluster_role_bindings().text();
    std::string name = key.substr(0, key.find('/'));
    if (is_role) name = key.starts_with(prefix) ? key.substr(prefix.size()) : "";
    const bool is_namespace = table == fleet::namespaces().text();
    if (key == std::string(kForeign) + "/keep" || (is_namespace && key == kForeign)) {
      wrong_ = table + " " + key + " was others' and was deleted";
    }
    const auto found = clusters_.find(name);
    if (found == clusters_.end() || table == "events") return;
    Cluster& cluster = found->second;
    if (table == fleet::leases().text()) cluster.fresh_until = Time::min();
    const bool is_right = is_role || table == fleet::role_bindings().text();
    const bool may_go = is_right ? cluster.rights_may_go : cluster.contents_may_go;
    if (!may_go) wrong_ = table + " " + key + " was needed and was deleted";
  }

  JoiningMistake mistake_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  std::unique_ptr<SimulatedHub> hub_;
  std::map<std::string, Cluster> clusters_;
  std::set<std::string> disturbed_;  // Machines whose clock is wrong, or was.
  double kill_share_ = 0;
  Duration quiet_from_ = Duration::max();
  std::string wrong_;
};

}  // namespace

sim::Suite joining_suite(JoiningMistake mistake) {
  return {.name = "joining",
          .make = [mistake] { return std::make_unique<Joining>(mistake); },
          .faults = {"bad-network", "clogs", "cut-streams", "kills", "partitions", "power-losses"},
          .faulty = kBusy,
          .settles_within = 2h};
}

}  // namespace berth::suites
