#include "suites/hosting.h"

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
#include "fleet/registration/resources.h"
#include "hosting/hosting_controller.h"
#include "hosting/names.h"
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
using hosting::HostingResource;
using json::Value;

constexpr Duration kBusy = 2min;
constexpr Duration kTick = 1s;
constexpr int kHosts = 3;
constexpr int kHostedMax = 3;
constexpr int kRequests = 8;
constexpr std::string_view kFirst = "r0";
constexpr std::string_view kTwin = "r1";  // Asks for the infraID of the first, by mistake.
constexpr std::string_view kAgentFinalizer =
    "cluster.open-cluster-management.io/manifest-work-cleanup";

Value parsed(std::string_view text) { return json::parse(text).value(); }

std::vector<Value> hosting_definitions() {
  const auto of = [](HostingResource kind, const char* name, KindScope scope) {
    return plain_definition(hosting::resource_of(kind), name, scope);
  };
  return {of(HostingResource::Requests, "HostedClusterRequest", KindScope::Namespaced),
          of(HostingResource::Ledgers, "HostingLedger", KindScope::Namespaced),
          of(HostingResource::Clusters, "ManagedCluster", KindScope::Cluster),
          of(HostingResource::Scores, "AddOnPlacementScore", KindScope::Namespaced),
          of(HostingResource::AddOns, "ManagedClusterAddOn", KindScope::Namespaced),
          of(HostingResource::Configs, "AddOnDeploymentConfig", KindScope::Namespaced),
          of(HostingResource::Decisions, "PlacementDecision", KindScope::Namespaced),
          of(HostingResource::Works, "ManifestWork", KindScope::Namespaced)};
}

// One that takes itself for the leader.
struct Leader {
  Leader(const env::Env& env, const client::ClientConfig& config)
      : api(env, config, {.rate = {.per_second = 0}}),
        informers(env, api),
        recorder(env, api, {.controller = "hosting-controller", .instance = "test"}),
        controller(env, api, informers, recorder, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  hosting::HostingController controller;
};

// What is really on a host, whatever the hub knows.
struct TrueHost {
  std::map<std::string, std::string> clusters = {};  // The work that it came from, by infraID.
  int reported = 0;                                  // How many it had when it last said so.
  Duration silent_until = Duration::zero();
};

class Hosting final : public sim::Workload {
 public:
  explicit Hosting(HostingMistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    constexpr double kKills[] = {0, 0.02, 0.1};
    kill_share_ = kKills[random_->below(std::size(kKills))];
    leaders_ = 1 + random_->below(2);
    in_flight_max_ = 1 + static_cast<int>(random_->below(4));
    for (int i = 1; i <= kHosts; ++i) hosts_[fmt::format("h{}", i)] = {};
    for (int i = 0; i < kRequests; ++i) wanted_.insert(fmt::format("r{}", i));
    hub_ = std::make_unique<SimulatedHub>(
        world, HubSetup{.definitions = hosting_definitions(),
                        .controllers =
                            [this](const env::Env& env, const client::ClientConfig& config) {
                              return make_leaders(env, config);
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
    if (is_busy()) return missing("still changing");
    std::map<std::string, std::string> host_of;  // By uid.
    std::set<std::string> expected;
    std::size_t duplicates = 0;
    for (const Value& request : hub_->list(hosting::resource_of(HostingResource::Requests))) {
      const hosting::HostedClusterRequest read = hosting::read_request(request);
      if (!wanted_.contains(read.facts.name)) return missing(read.facts.name + " should be gone");
      if (is_told_apart(request)) {
        ++duplicates;
        continue;
      }
      if (read.phase != hosting::Phase::Ready) {
        return missing(read.facts.name + " is not ready: " + json::print(request));
      }
      host_of[read.facts.uid] = read.host;
      expected.insert(read.host + "/" + read.identity.infra_id);
    }
    const bool has_twins =
        wanted_.contains(std::string(kFirst)) && wanted_.contains(std::string(kTwin));
    if (duplicates != (has_twins ? 1 : 0)) return missing("the twins are not told apart");
    if (host_of.size() + duplicates != wanted_.size()) return missing("requests are missing");
    RETURN_IF_ERROR(no_claim_is_leaked(host_of));
    for (const auto& [name, host] : hosts_) {
      for (const auto& [cluster, work] : host.clusters) {
        if (expected.erase(name + "/" + cluster) == 0) {
          return missing(cluster + " is on " + name + " for nobody");
        }
      }
    }
    return expected.empty() ? Status() : missing(*expected.begin() + " is not there");
  }

 private:
  static Status missing(std::string what) { return failure(Code::Timeout, std::move(what)); }

  // It has no host, and says that another has its infraID.
  static bool is_told_apart(const Value& request) {
    const Value* scheduled =
        api::find_condition(field(field(request, "status"), "conditions"), "Scheduled");
    return scheduled && text_field(*scheduled, "reason") == "DuplicateInfraID" &&
           text_field(field(request, "status"), "hostingCluster").empty();
  }
  bool is_busy() const { return world_->now() < kBusy; }

  std::shared_ptr<void> make_leaders(const env::Env& env, const client::ClientConfig& config) {
    if (mistake_ == HostingMistake::NoController) return nullptr;
    auto leaders = std::make_shared<std::vector<std::unique_ptr<Leader>>>();
    for (std::size_t i = 0; i < leaders_; ++i) {
      leaders->push_back(std::make_unique<Leader>(env, config));
    }
    return leaders;
  }

  // --- What people and the hosts' agents do ----------------------------------------------------

  void plan_tick() {
    world_->schedule().add(world_->now() + kTick, [this] {
      if (hub_->is_up()) {
        furnish();
        for (auto& [name, host] : hosts_) {
          if (world_->now() < host.silent_until) continue;
          for (const Value& work : hub_->list(works(), name)) serve(name, host, work);
        }
        if (mistake_ == HostingMistake::Meddler) meddle();
      }
      plan_tick();
    });
  }

  static Gvr works() { return hosting::resource_of(HostingResource::Works); }
  static Gvr requests() { return hosting::resource_of(HostingResource::Requests); }

  // Makes the object be there with that spec and status.
  void ensure(const Gvr& kind, const std::string& ns, const std::string& name, const Value& spec,
              const Value& status = {}) {
    const auto there = hub_->find(kind, ns.empty() ? name : ns + "/" + name);
    if (!there) {
      Value object = Value::object({{"metadata", Value::object({{"name", name}})}});
      if (!ns.empty()) object["metadata"]["namespace"] = ns;
      if (!spec.is_null()) object["spec"] = spec;
      return hub_->create(kind, object);
    }
    if (status.is_null() || field(*there, "status") == status) return;
    hub_->merge({.resource = kind, .ns = ns, .name = name, .subresource = "status"},
                Value::object({{"status", status}}));
  }

  void furnish() {
    ensure(fleet::namespaces(), "", "tenant", Value());
    for (auto& [name, host] : hosts_) {
      const bool is_silent = world_->now() < host.silent_until;
      if (!is_silent && random_->chance(0.3))
        host.reported = static_cast<int>(host.clusters.size());
      furnish_host(name, host, is_silent ? "Unknown" : "True");
    }
    for (const std::string& name : wanted_) ensure_request(name);
    for (const Value& request : hub_->list(requests(), "tenant")) {
      const api::Metadata metadata(request);
      const std::string name(metadata.name());
      if (wanted_.contains(name) || metadata.is_being_deleted()) continue;
      hub_->remove({.resource = requests(), .ns = "tenant", .name = name});
    }
  }

  void furnish_host(const std::string& name, const TrueHost& host, std::string_view available) {
    ensure(fleet::namespaces(), "", name, Value());
    // Before there is a cluster: else the controller makes one without these limits.
    const Gvr ledgers = hosting::resource_of(HostingResource::Ledgers);
    ensure(ledgers, name, std::string(hosting::kLedgerName),
           parsed(fmt::format(R"({{"maxHostedClusters":{},"maxInFlight":{}}})", kHostedMax,
                              in_flight_max_)));
    if (!hub_->find(ledgers, name + "/" + std::string(hosting::kLedgerName))) return;
    ensure(hosting::resource_of(HostingResource::Clusters), "", name,
           parsed(R"({"hubAcceptsClient":true})"),
           parsed(fmt::format(R"({{"conditions":[{{"type":"ManagedClusterConditionAvailable",
               "status":"{}"}}],"clusterClaims":[{{"name":"{}","value":"true"}}]}})",
                              available, hosting::kHostingClaim)));
    ensure(hosting::resource_of(HostingResource::AddOns), name,
           std::string(hosting::kHyperShiftAddOn), Value::object(),
           parsed(fmt::format(R"({{"conditions":[{{"type":"Available","status":"{}"}}]}})",
                              available)));
    ensure(hosting::resource_of(HostingResource::Scores), name, std::string(hosting::kCountScore),
           Value::object(),
           parsed(fmt::format(R"({{"scores":[{{"name":"hostedClustersCount","value":{}}}]}})",
                              host.reported)));
  }

  void ensure_request(const std::string& name) {
    constexpr std::string_view kPolicies[] = {"Never", "BeforeDelivery"};
    const std::string_view policy = kPolicies[name.back() % 2];
    ensure(requests(), "tenant", name,
           parsed(fmt::format(R"({{"policy":{{"reassign":"{1}"}},"payload":{{"hostedCluster":
               {{"metadata":{{"name":"{0}"}},"spec":{{"infraID":"{2}"}}}}}}}})",
                              name, policy, name == kTwin ? kFirst : name)));
  }

  // The work agent of a host, and the hosted cluster that it makes.
  void serve(const std::string& name, TrueHost& host, const Value& work) {
    if (random_->chance(0.4)) return;  // Later.
    const api::Metadata metadata(work);
    const client::ResourcePath path{
        .resource = works(), .ns = name, .name = std::string(metadata.name())};
    const bool is_held = metadata.has_finalizer(kAgentFinalizer);
    const hosting::WorkState state = hosting::read_work(work);
    if (metadata.is_being_deleted()) {
      if (!is_held) return;
      const bool lies = mistake_ == HostingMistake::HastyAgent;
      const auto there = host.clusters.find(state.identity.infra_id);
      if (!lies && there != host.clusters.end() && there->second == metadata.name()) {
        host.clusters.erase(there);
      }
      hub_->merge(path, versioned(work, R"({"metadata":{"finalizers":[]}})"));
      return;
    }
    if (!is_held) {
      hub_->merge(path, versioned(work, fmt::format(R"({{"metadata":{{"finalizers":["{}"]}}}})",
                                                    kAgentFinalizer)));
      return;
    }
    if (state.is_filled) {
      apply(name, state.identity.infra_id, std::string(metadata.name()));
    }
    report(path, work, state.is_filled && random_->chance(0.5));
  }

  static Value versioned(const Value& object, std::string_view patch) {
    Value whole = parsed(patch);
    const api::Metadata metadata(object);
    whole["metadata"]["uid"] = metadata.uid();
    whole["metadata"]["resourceVersion"] = metadata.resource_version();
    return whole;
  }

  void apply(const std::string& name, const std::string& cluster, const std::string& work) {
    for (const auto& [other, there] : hosts_) {
      const auto found = there.clusters.find(cluster);
      if (found != there.clusters.end() && (other != name || found->second != work)) {
        wrong_ = fmt::format("{} is on {} and on {}", cluster, other, name);
      }
    }
    TrueHost& host = hosts_[name];
    host.clusters.emplace(cluster, work);
    if (host.clusters.size() > kHostedMax) {
      wrong_ = fmt::format("{} has {} hosted clusters", name, host.clusters.size());
    }
  }

  void report(const client::ResourcePath& path, const Value& work, bool is_available) {
    const bool was = hosting::read_work(work).is_available;
    const Value status = parsed(fmt::format(
        R"({{"conditions":[{{"type":"Applied","status":"True","observedGeneration":{}}}],
            "resourceStatus":{{"manifests":[{{"resourceMeta":{{"resource":"hostedclusters"}},
            "statusFeedback":{{"values":[{{"name":"Available-status","fieldValue":
            {{"type":"String","string":"{}"}}}}]}}}}]}}}})",
        api::Metadata(work).generation(), was || is_available ? "True" : "False"));
    if (field(work, "status") == status) return;
    client::ResourcePath at = path;
    at.subresource = "status";
    hub_->merge(at, Value::object({{"status", status}}));
  }

  void meddle() {
    for (const Value& request : hub_->list(requests(), "tenant")) {
      const std::string host = text_field(field(request, "status"), "hostingCluster");
      if (text_field(field(request, "status"), "phase") != "Ready" || !random_->chance(0.05)) {
        continue;
      }
      hub_->merge(
          {.resource = requests(),
           .ns = "tenant",
           .name = std::string(api::Metadata(request).name()),
           .subresource = "status"},
          Value::object(
              {{"status", Value::object({{"hostingCluster", host == "h1" ? "h2" : "h1"}})}}));
    }
  }

  // --- What changes ----------------------------------------------------------------------------

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 10'000));
    world_->schedule().add(world_->now() + gap, [this] {
      if (is_busy()) {
        mutate();
        plan_mutation();
      }
    });
  }

  void mutate() {
    const auto draw = random_->below(4);
    if (draw < 1) {
      auto host = std::next(hosts_.begin(), static_cast<long>(random_->below(hosts_.size())));
      const Duration until = world_->now() + std::chrono::seconds(random_->between(1, 60));
      host->second.silent_until = std::min<Duration>(until, kBusy);
      return;
    }
    // The same name again may come while the one before is not gone yet.
    const std::string name = fmt::format("r{}", random_->below(kRequests));
    if (wanted_.erase(name) == 0) wanted_.insert(name);
  }

  // --- What must never happen ------------------------------------------------------------------

  void judge(const store::EntryChange& change) {
    const std::string ledgers = hosting::resource_of(HostingResource::Ledgers).text();
    const bool is_request = change.key.table == requests().text();
    if (!is_request && change.key.table != ledgers && change.key.table != works().text()) return;
    perhaps_kill();
    if (is_request && change.before && change.after) judge_assignment(change);
    if (change.key.table == ledgers && change.after) {
      const auto ledger =
          hub_->find(hosting::resource_of(HostingResource::Ledgers), change.key.name);
      if (!ledger) return;
      const std::size_t claims = hosting::read_ledger(*ledger).claims.size();
      if (claims > kHostedMax) wrong_ = fmt::format("{} has {} claims", change.key.name, claims);
    }
  }

  // A host is written once; whoever leaves it has nothing there.
  void judge_assignment(const store::EntryChange& change) {
    const auto object = hub_->find(requests(), change.key.name);
    if (!object) return;
    const hosting::HostedClusterRequest request = hosting::read_request(*object);
    std::string& host = host_of_[request.facts.uid];
    if (request.host == host) return;
    if (!host.empty()) {
      const auto there = hosts_[host].clusters.find(request.identity.infra_id);
      if (there != hosts_[host].clusters.end() &&
          there->second == hosting::work_name(request.facts.uid)) {
        wrong_ = fmt::format("{} left {}, where it is", request.facts.name, host);
      }
      if (!request.host.empty()) {
        wrong_ = fmt::format("{} went from {} to {}", request.facts.name, host, request.host);
      }
    }
    host = request.host;
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

  // --- What must be so in the end --------------------------------------------------------------

  Status no_claim_is_leaked(const std::map<std::string, std::string>& host_of) const {
    std::size_t claims = 0;
    for (const Value& object : hub_->list(hosting::resource_of(HostingResource::Ledgers))) {
      const std::string host(api::Metadata(object).namespace_name());
      for (const hosting::Claim& claim : hosting::read_ledger(object).claims) {
        const auto found = host_of.find(claim.request_uid);
        if (found == host_of.end() || found->second != host) {
          return missing("a claim of " + claim.request_name + " is left on " + host);
        }
        ++claims;
      }
    }
    if (claims != host_of.size()) return missing("claims are missing");
    for (const Value& work : hub_->list(works())) {
      const auto uid = api::Metadata(work).labels().find(hosting::kRequestUidLabel);
      const auto found = host_of.find(std::string(uid.value_or("")));
      if (found == host_of.end() || found->second != api::Metadata(work).namespace_name()) {
        return missing("a work is left in " + std::string(api::Metadata(work).namespace_name()));
      }
    }
    return {};
  }

  HostingMistake mistake_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  std::unique_ptr<SimulatedHub> hub_;
  std::map<std::string, TrueHost> hosts_;
  std::set<std::string> wanted_;                // Names of requests.
  std::map<std::string, std::string> host_of_;  // By uid, as it was last written.
  std::size_t leaders_ = 1;
  int in_flight_max_ = 1;
  double kill_share_ = 0;
  std::string wrong_;
};

}  // namespace

sim::Suite hosting_suite(HostingMistake mistake) {
  return {.name = "hosting",
          .make = [mistake] { return std::make_unique<Hosting>(mistake); },
          .faults = {"bad-network", "clogs", "cut-streams", "kills", "partitions", "power-losses"},
          .faulty = kBusy,
          .settles_within = 40min};
}

}  // namespace berth::suites
