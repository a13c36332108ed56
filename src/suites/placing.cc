#include "suites/placing.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/placement_decision.h"
#include "base/rfc3339.h"
#include "control/leading_service.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "json/print.h"
#include "placement/clustersets/clustersets_controller.h"
#include "placement/deciding/schedule.h"
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

  // The first write that is missing by what it knows itself, and by its own clock; "" if none is,
  // or if it is at work.
  std::string neglected(const std::vector<std::string>& placements) const {
    const auto work = work_.lock();
    if (!work || !is_idle()) return "";
    const placement::Situation& known = work->placement.situation();
    for (const std::string& name : placements) {
      if (!known.find({"ns", name})) continue;
      const auto plan = known.plan({"ns", name}, now());
      if (plan.ok() && !plan->writes.empty()) return name;
    }
    return "";
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

bool uses_balance(const Value& placement) {
  return json::print(placement).find("Balance") != std::string::npos;
}

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

  // Also in the middle of it: nobody sits on decisions that an expired score no longer bears, and
  // nobody decides again and again without a cause.
  Status check() override {
    if (world_->now() - last_check_ >= 1s) {
      last_check_ = world_->now();
      for (const auto& [name, weak] : candidates_) check_diligence(name, weak.lock().get());
    }
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
      if (uses_balance(object)) {
        RETURN_IF_ERROR(look_at_balanced(truth, key.substr(3), leader->now()));
        continue;
      }
      const auto plan = truth.plan({"ns", key.substr(3)}, leader->now());
      if (!plan.ok()) return failure(Code::Timeout, plan.error().message);
      if (!plan->writes.empty()) {
        return failure(Code::Timeout, key + " lacks a write of " + plan->writes.front().name);
      }
    }
    return {};
  }

  // Decisions of others wake nobody, so there is no one right end: as many clusters as there should
  // be, and none that may not be.
  Status look_at_balanced(const placement::Situation& truth, const std::string& name, Time now) {
    const placement::CompiledPlacement& placement = *truth.find({"ns", name});
    const placement::Schedule schedule =
        placement::schedule(placement, truth.fleet(), now, truth.options());
    std::set<std::string> allowed;
    for (const auto cluster : schedule.allowed) allowed.insert(truth.fleet().name(cluster));
    std::size_t count = 0;
    for (const auto& [key, object] : hub_.store(resource_of(Watched::Decisions)).state()) {
      const auto decision = api::read_placement_decision(object);
      if (decision.placement() != name) continue;
      for (const auto& choice : decision.decisions) {
        ++count;
        if (!allowed.contains(choice.cluster)) {
          return failure(Code::Timeout,
                         name + " has " + choice.cluster + ", which it may not have");
        }
      }
    }
    if (count == schedule.chosen.size()) return {};
    return failure(Code::Timeout, fmt::format("{} has {} clusters instead of {}", name, count,
                                              schedule.chosen.size()));
  }

  static constexpr Duration kBusy = 60s;
  static constexpr Duration kQuiet = 30s;
  static constexpr Duration kNeglectMax = 30s;  // The calendar is looked at now and then only.
  static constexpr Duration kWindow = 10s;
  static constexpr std::size_t kWritesPerCause = 4;
  static constexpr std::size_t kCausesMin = 4;  // What was changed just before, and new leaders.

  void check_diligence(const std::string& name, const Candidate* candidate) {
    const sim::Process* process = world_->node(name).process();
    const bool is_awake = candidate && process && !process->is_paused();
    const std::string neglected = is_awake ? candidate->neglected(exact_placements()) : "";
    if (neglected.empty()) {
      diligent_[name] = world_->now();
    } else if (world_->now() - diligent_[name] > kNeglectMax) {
      wrong_ = fmt::format("{} is idle though {} should be decided anew", name, neglected);
    }
  }

  // Those whose decisions follow from what wakes them.
  std::vector<std::string> exact_placements() {
    std::vector<std::string> names;
    for (const auto& [key, object] : hub_.store(resource_of(Watched::Placements)).state()) {
      if (!uses_balance(object)) names.push_back(key.substr(3));
    }
    return names;
  }

  // However many objects a change concerns, each is written a few times for it.
  void count_write(const std::string& what) {
    if (world_->now() - window_began_ >= kWindow) {
      window_began_ = world_->now();
      writes_.clear();
      causes_ = kCausesMin;
    }
    if (++writes_[what] > kWritesPerCause * causes_) wrong_ = "again and again: " + what;
  }

  // An accepted write of a controller changes something, or it should not have been sent.
  void on_write(const ModelHub::Written& written) {
    if (written.what.find("lease") != std::string::npos) return;
    if (written.what.find("events") != std::string::npos) return;
    last_write_ = world_->now();
    if (written.status < 300 && !written.changed) wrong_ = "changed nothing: " + written.what;
    if (written.status < 300) count_write(written.what);
    if (mistake_ == PlacingMistake::Rival && written.what.find("decisions") != std::string::npos) {
      world_->schedule().add(world_->now() + 1ms, [this] { meddle(); });
    }
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
        R"({"numberOfClusters":3,"prioritizerPolicy":{"mode":"Exact","configurations":[
            {"scoreCoordinate":{"type":"BuiltIn","builtIn":"Balance"},"weight":2},
            {"scoreCoordinate":{"type":"BuiltIn","builtIn":"Steady"},"weight":1}]}})",
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
      causes_ += 2;  // The change, and the end of what it brings.
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
  sim::Moment last_check_ = sim::Moment::zero();
  std::map<std::string, sim::Moment> diligent_;  // When each candidate last had nothing to do.
  sim::Moment window_began_ = sim::Moment::zero();
  std::map<std::string, std::size_t> writes_;  // Of this window, and the causes for them.
  std::size_t causes_ = kCausesMin;
  Status last_ = failure(Code::Timeout, "not looked yet");
  std::string wrong_;
};

}  // namespace

sim::Suite placing_suite(PlacingMistake mistake) {
  return {.name = "placement",
          .make = [mistake] { return std::make_unique<Placing>(mistake); },
          .faults = {"bad-network", "clock-errors", "clogs", "cut-streams", "kills", "partitions",
                     "pauses", "power-losses"},
          .faulty = 60s,
          .settles_within = 15min};  // As long as a watch, and then some.
}

}  // namespace berth::suites
