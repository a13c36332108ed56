#include "suites/placing.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "control/leading_service.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "placement/clustersets_controller.h"
#include "placement/placement_controller.h"
#include "suites/trouble.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using client::testing::ServerBug;
using control::testing::ModelHub;
using json::Value;
using placement::kWatched;
using placement::resource_of;
using placement::Watched;

constexpr int kClusters = 8;
constexpr int kPlacements = 6;

// What `berth controllers` is, on a simulated machine.
class Candidate {
 public:
  Candidate(const env::Env& env, const std::string& name, placement::Options options)
      : clock_(env.clock),
        api_(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        leading_(
            env, api_, {.identity = name, .lease_name = "placement", .lease_namespace = "berth"},
            [this, env, options](const control::MayWrite& may_write) {
              auto work = std::make_shared<Work>(env, api_, may_write, options);
              work_ = work;
              return work;
            },
            nullptr) {
    leading_.start();
  }

  bool is_idle() const {
    const auto work = work_.lock();
    return work && work->placement.is_idle() && work->sets.is_idle();
  }
  Time now() const { return clock_.now(); }

 private:
  struct Work {
    Work(const env::Env& env, client::Api& api, const control::MayWrite& may_write,
         placement::Options options)
        : informers(env, api),
          recorder(env, api, {.controller = "placement-controller", .instance = "simulated"}),
          sets(env, api, informers, may_write),
          placement(env, api, informers, recorder, may_write, {.engine = options}) {}

    client::Informers informers;
    control::RecorderService recorder;
    placement::ClusterSetsController sets;
    placement::PlacementController placement;
  };

  env::Clock& clock_;
  client::Api api_;
  std::weak_ptr<Work> work_;
  control::LeadingService leading_;
};

Value parsed(const std::string& text) { return json::parse(text).value(); }

class Placing final : public sim::Workload {
 public:
  explicit Placing(PlacingMistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    options_.wake_at_every_expiry = mistake_ != PlacingMistake::ExpiryWakesNobody;
    hub_.on_write = [this](const ModelHub::Written& written) { on_write(written); };
    hub_.put(resource_of(Watched::Bindings),
             parsed(R"({"metadata":{"name":"global","namespace":"ns"},
                        "spec":{"clusterSet":"global"}})"));
    for (int i = 0; i < kClusters; ++i) put_cluster(i);
    for (int i = 0; i < kPlacements; ++i) put_placement(i);
    world.add_node("server").start([this](std::span<env::Env> loops) {
      const bool forgets = mistake_ == PlacingMistake::LostEvents;
      return std::shared_ptr<client::testing::ModelServer>(
          hub_.serve(loops[0], {.trouble = [this] { return trouble(); },
                                .bug = forgets ? ServerBug::SkippedEvent : ServerBug::None}));
    });
    for (const std::string name : {"left", "right"}) {
      world.add_node(name).start([this, name](std::span<env::Env> loops) {
        auto candidate = std::make_shared<Candidate>(loops[0], name, options_);
        candidates_[name] = candidate;
        return candidate;
      });
    }
    plan_mutation();
  }

  Status check() override {
    if (wrong_.empty()) return {};
    return failure(Code::InternalError, wrong_);
  }

  // Nothing is left to write for anybody who looks at the hub with the leader's clock, and nobody
  // writes.
  Status settled() override {
    if (world_->now() < kBusy) return failure(Code::Timeout, "still changing");
    if (world_->now() - last_write_ < kQuiet) return failure(Code::Timeout, "still writing");
    if (world_->now() - last_look_ < 1s) return last_;
    last_look_ = world_->now();
    last_ = look();
    return last_;
  }

 private:
  Status look() {
    const Candidate* leader = find_idle();
    if (!leader) return failure(Code::Timeout, "nobody leads and is idle");
    placement::Situation truth(placement::Options{});
    for (int round = 0; round < 2; ++round) {  // Clusters again, for expressions.
      for (const Watched kind : kWatched) {
        for (const auto& [key, object] : hub_.store(resource_of(kind)).state()) {
          truth.put(kind, object);
        }
      }
    }
    for (const auto& [key, object] : hub_.store(resource_of(Watched::Placements)).state()) {
      const auto plan = truth.plan({"ns", key.substr(3)}, leader->now());
      if (!plan.ok()) return failure(Code::Timeout, plan.error().message);
      if (!plan->writes.empty()) {
        return failure(Code::Timeout, key + " lacks a write of " + plan->writes.front().name);
      }
    }
    return {};
  }

  static constexpr Duration kBusy = 60s;
  static constexpr Duration kQuiet = 30s;

  // An accepted write of a controller changes something, or it should not have been sent.
  void on_write(const ModelHub::Written& written) {
    if (written.what.find("lease") != std::string::npos) return;
    if (written.what.find("events") != std::string::npos) return;
    last_write_ = world_->now();
    if (written.status < 300 && !written.changed) wrong_ = "changed nothing: " + written.what;
  }

  const Candidate* find_idle() const {
    for (const auto& [name, weak] : candidates_) {
      const auto candidate = weak.lock();
      if (candidate && candidate->is_idle()) return candidate.get();
    }
    return nullptr;
  }

  void put_cluster(int i) {
    const char* envs[] = {"dev", "prod"};
    std::string taints;
    if (random_->chance(0.2)) {
      taints = fmt::format(R"({{"key":"k","effect":"NoSelect","timeAdded":"{}"}})",
                           format_seconds(true_now()));
    }
    hub_.put(resource_of(Watched::Clusters),
             parsed(fmt::format(
                 R"({{"metadata":{{"name":"c{}","labels":{{"env":"{}",
                     "cluster.open-cluster-management.io/clusterset":"default"}}}},
                     "spec":{{"taints":[{}]}},
                     "status":{{"allocatable":{{"cpu":"{}"}},"capacity":{{"cpu":"64"}}}}}})",
                 i, envs[random_->below(2)], taints, 1 + random_->below(64))));
  }

  void put_score(int cluster) {
    const auto valid = std::chrono::seconds(random_->between(5, 60));
    hub_.put(resource_of(Watched::Scores),
             parsed(fmt::format(
                 R"({{"metadata":{{"name":"usage","namespace":"c{}"}},"status":{{"validUntil":"{}",
                     "scores":[{{"name":"cpu","value":{}}}]}}}})",
                 cluster, format_seconds(true_now() + valid), random_->between(-100, 100))));
  }

  // None with Balance: decisions of others wake nobody, so there is no one right end.
  void put_placement(int i) {
    const std::string specs[] = {
        R"({"numberOfClusters":3,"prioritizerPolicy":{"mode":"Exact","configurations":[
            {"scoreCoordinate":{"type":"BuiltIn","builtIn":"Steady"},"weight":1}]}})",
        R"({"predicates":[{"requiredClusterSelector":
            {"labelSelector":{"matchLabels":{"env":"prod"}}}}]})",
        R"({"numberOfClusters":2,"prioritizerPolicy":{"mode":"Exact","configurations":[
            {"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"usage","scoreName":"cpu"}},
             "weight":1}]}})",
        R"({"numberOfClusters":2,"tolerations":[{"key":"k","operator":"Exists",
            "tolerationSeconds":20}],"prioritizerPolicy":{"mode":"Exact","configurations":[
            {"scoreCoordinate":{"type":"BuiltIn","builtIn":"ResourceAllocatableCPU"},"weight":2}]}})",
        R"spec({"predicates":[{"requiredClusterSelector":{"celSelector":{"celExpressions":[
            "managedCluster.scores('usage').exists(s, s.name == 'cpu' && s.value > 0)"]}}}],
            "decisionStrategy":{"groupStrategy":{"clustersPerDecisionGroup":2}}})spec",
        R"({"numberOfClusters":-3})",
    };
    hub_.put(resource_of(Watched::Placements),
             with_status(fmt::format("p{}", i), specs[random_->below(std::size(specs))]));
  }

  // An edit of the spec leaves the status as it is.
  Value with_status(const std::string& name, const std::string& spec) {
    Value object = parsed(
        fmt::format(R"({{"metadata":{{"name":"{}","namespace":"ns"}},"spec":{}}})", name, spec));
    if (const Value* old = hub_.find(resource_of(Watched::Placements), "ns/" + name)) {
      if (const Value* status = old->find("status")) object["status"] = *status;
    }
    return object;
  }

  void meddle() {
    const auto& state = hub_.store(resource_of(Watched::Decisions)).state();
    if (state.empty()) return;
    auto victim = state.begin();
    std::advance(victim, random_->below(state.size()));
    const std::string key = victim->first;
    Value object = victim->second;
    if (random_->chance(0.5)) return hub_.erase(resource_of(Watched::Decisions), key);
    object["status"]["decisions"] = Value::array();
    hub_.put(resource_of(Watched::Decisions), object);
  }

  void mutate() {
    const int cluster = static_cast<int>(random_->below(kClusters));
    const int draw = static_cast<int>(random_->below(10));
    if (draw < 4) return put_score(cluster);
    if (draw < 6) return put_cluster(cluster);
    if (draw < 8) return put_placement(static_cast<int>(random_->below(kPlacements)));
    if (draw == 8) return meddle();
    hub_.erase(resource_of(Watched::Clusters), fmt::format("c{}", cluster));
  }

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 2000));
    world_->schedule().add(world_->now() + gap, [this] {
      mutate();
      if (world_->now() < kBusy) plan_mutation();
    });
  }

  Time true_now() const { return sim::NodeClock::kBeginning + world_->now(); }

  int trouble() { return world_->now() > kBusy ? 0 : draw_trouble(*random_); }

  PlacingMistake mistake_;
  placement::Options options_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  ModelHub hub_;
  std::map<std::string, std::weak_ptr<Candidate>> candidates_;
  sim::Moment last_write_ = sim::Moment::zero();
  sim::Moment last_look_ = sim::Moment::zero();
  Status last_ = failure(Code::Timeout, "not looked yet");
  std::string wrong_;
};

}  // namespace

sim::Suite placing_suite(PlacingMistake mistake) {
  return {.name = "placement",
          .make = [mistake] { return std::make_unique<Placing>(mistake); },
          .faults = {"bad-network", "clock-errors", "clogs", "cut-streams", "kills", "partitions",
                     "power-losses"},
          .faulty = 60s,
          .settles_within = 15min};  // As long as a watch, and then some.
}

}  // namespace berth::suites
