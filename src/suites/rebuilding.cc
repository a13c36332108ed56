#include "suites/rebuilding.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "control/led_work_service.h"
#include "env/random.h"
#include "env/scope.h"
#include "json/parse.h"
#include "nodes/reservation_controller.h"
#include "nodes/scheduler_service.h"
#include "nodes/testing/model_cluster_service.h"
#include "suites/trouble.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using api::field;
using api::text_field;
using client::Gvr;
using json::Value;

constexpr Duration kBusy = 90s;
constexpr Duration kTick = 500ms;
constexpr int kNodes = 3;
constexpr int kCores = 4;        // Of each node.
constexpr int kWorkloads = 4;    // With one core for each pod:
constexpr int kReplicasMax = 3;  // all of them fit, but seldom anywhere else.

const Gvr& deployments() {
  static const Gvr gvr{"apps", "v1", "deployments"};
  return gvr;
}

Value parsed(std::string_view text) { return json::parse(text).value(); }

// What `berth scheduler` is, on a simulated machine. It ends when it has lost the lead, and
// somebody starts it again.
class Scheduler {
 public:
  enum class Election : std::uint8_t { None, ByLease };

  Scheduler(const env::Env& env, Election election) : env_(env), election_(election) { run(); }

  // Null while another one leads.
  const nodes::SchedulerService* service() const { return program_->led.work(); }

 private:
  struct Program {
    Program(const env::Env& env, const std::optional<control::LeaderElectionOptions>& election,
            env::Task lost)
        : api(env, client::testing::model_config("http"), {}),
          led(
              env, api, election,
              [this, env](const control::MayWrite& may_write) {
                return std::make_shared<nodes::SchedulerService>(
                    env, api, api, may_write,
                    nodes::SchedulerOptions{
                        .scheduling = {.profiles = {nodes::default_profile()}}});
              },
              std::move(lost)) {
      led.start();
    }

    client::Api api;
    control::LedWork<nodes::SchedulerService> led;
  };

  void run() {
    std::optional<control::LeaderElectionOptions> election;
    if (election_ == Election::ByLease) {
      election = {.identity = env::new_uuid(env_.entropy),
                  .lease_name = "berth-scheduler",
                  .lease_namespace = "kube-system"};
    }
    program_ = std::make_unique<Program>(
        env_, election, [this] { env_.loop.post(scope_.guard([this] { run(); })); });
  }

  env::Env env_;
  Election election_;
  std::unique_ptr<Program> program_;
  env::Scope scope_;
};

struct Controller {
  explicit Controller(const env::Env& env)
      : api(env, client::testing::model_config("http"), {}),
        recorder(env, api, {.controller = "reservation-controller", .instance = "test"}),
        controller(env, api, recorder, [] { return true; }, {.keep_closed = 5s}) {}

  client::Api api;
  control::RecorderService recorder;
  nodes::ReservationController controller;
};

class Rebuilding final : public sim::Workload {
 public:
  explicit Rebuilding(RebuildingMistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    controllers_ = 1 + random_->below(2);
    schedulers_ = mistake_ == RebuildingMistake::Unelected ? 2 : 1 + random_->below(2);
    if (mistake_ == RebuildingMistake::NoScheduler) schedulers_ = 0;
    const bool is_elected = schedulers_ > 1 && mistake_ != RebuildingMistake::Unelected;
    const auto election = is_elected ? Scheduler::Election::ByLease : Scheduler::Election::None;
    cluster_.trouble = [this] { return is_busy() ? draw_trouble(*random_) : 0; };
    cluster_.on_bound = [this](const std::string& pod, const std::string& node) {
      judge(pod, node);
    };
    for (int i = 0; i < kNodes; ++i) put_node(fmt::format("n{}", i), false);
    for (int i = 0; i < kWorkloads; ++i) make_workload(fmt::format("d{}", i));
    world.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(cluster_.serve(loops[0]));
    });
    for (std::size_t i = 0; i < schedulers_; ++i) {
      const std::string name = fmt::format("scheduler{}", i);
      world.add_node(name).start([this, name, election](std::span<env::Env> loops) {
        auto scheduler = std::make_shared<Scheduler>(loops[0], election);
        running_[name] = scheduler;
        return scheduler;
      });
    }
    // Two controllers that take themselves for the leader do no harm.
    for (std::size_t i = 0; i < controllers_; ++i) {
      world.add_node(fmt::format("controller{}", i)).start([](std::span<env::Env> loops) {
        return std::make_shared<Controller>(loops[0]);
      });
    }
    plan_tick();
    plan_mutation();
  }

  Status check() override {
    if (wrong_.empty()) return {};
    return failure(Code::InternalError, wrong_);
  }

  Status settled() override {
    if (is_busy()) return missing("still changing");
    for (const auto& [name, replicas] : wanted_) {
      int bound = 0;
      for (const Value* pod : pods_of(name)) {
        if (api::Metadata(*pod).is_being_deleted()) return missing("a pod is still leaving");
        if (!api::Pod::from_json(*pod).is_bound()) {
          return missing(
              fmt::format("{} waits: {}", api::Metadata(*pod).name(),
                          cluster_.scheduled_condition(api::Metadata(*pod).key().text())));
        }
        ++bound;
      }
      if (bound != replicas) return missing(fmt::format("{} has {} pods", name, bound));
    }
    if (!state(nodes::pod_reservations_resource()).empty()) {
      return missing("a reservation is left: " +
                     state(nodes::pod_reservations_resource()).begin()->first);
    }
    const nodes::SchedulerService* service = working_scheduler();
    if (!service) return missing("no scheduler works");
    const nodes::Scheduling& scheduling = service->scheduling();
    if (!scheduling.snapshot().all_holds().empty()) return missing("the scheduler holds room");
    return scheduling.assumed() == 0 ? Status() : missing("the scheduler assumes something");
  }

 private:
  static Status missing(std::string what) { return failure(Code::Timeout, std::move(what)); }
  bool is_busy() const { return world_->now() < kBusy; }
  const client::testing::ModelStore::State& state(const Gvr& gvr) {
    return cluster_.hub.store(gvr).state();
  }

  const nodes::SchedulerService* working_scheduler() const {
    for (const auto& [name, running] : running_) {
      const auto scheduler = running.lock();
      if (scheduler && scheduler->service()) return scheduler->service();
    }
    return nullptr;
  }

  // --- The cluster -------------------------------------------------------------------------------

  void put_node(const std::string& name, bool is_cordoned) {
    Value node = Value::object({{"metadata", Value::object({{"name", name}})}});
    if (is_cordoned) node["spec"]["unschedulable"] = true;
    node["status"] = parsed(fmt::format(
        R"({{"allocatable":{{"cpu":"{}","memory":"8Gi","pods":"110"}},
            "conditions":[{{"type":"Ready","status":"True"}}]}})",
        kCores));
    cluster_.hub.put(nodes::nodes_resource(), std::move(node));
  }

  static Value owned_by(const char* kind, const std::string& name, std::string_view uid) {
    return Value::array({Value::object({{"apiVersion", "apps/v1"},
                                        {"kind", kind},
                                        {"name", name},
                                        {"uid", uid},
                                        {"controller", true}})});
  }

  void put_deployment(const std::string& name) {
    Value object =
        Value::object({{"metadata", Value::object({{"name", name}, {"namespace", "ns"}})}});
    object["spec"]["replicas"] = wanted_[name];
    cluster_.hub.put(deployments(), std::move(object));
  }

  void make_workload(const std::string& name) {
    wanted_[name] = 1 + static_cast<int>(random_->below(kReplicasMax));
    put_deployment(name);
    roll_out(name);
  }

  // From now on its pods are those of a new ReplicaSet.
  void roll_out(const std::string& name) {
    const std::string set = fmt::format("{}-{}", name, ++names_);
    Value object =
        Value::object({{"metadata", Value::object({{"name", set}, {"namespace", "ns"}})}});
    object["metadata"]["ownerReferences"] = owned_by(
        "Deployment", name, api::Metadata(*cluster_.hub.find(deployments(), "ns/" + name)).uid());
    object["spec"]["replicas"] = wanted_[name];
    cluster_.hub.put(nodes::replica_sets_resource(), std::move(object));
    sets_[name] = set;
  }

  std::vector<const Value*> pods_of(const std::string& workload) {
    std::vector<const Value*> pods;
    for (const auto& [key, pod] : state(nodes::pods_resource())) {
      const bool is_its = api::Metadata(pod).labels().find("app") == workload;
      if (is_its && text_field(field(pod, "status"), "phase") != "Failed") pods.push_back(&pod);
    }
    return pods;
  }

  void make_pod(const std::string& workload) {
    const std::string& set = sets_[workload];
    Value pod = parsed(R"({"spec":{"schedulerName":"berth-scheduler","containers":[{"name":"c",
        "resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Pending"}})");
    pod["metadata"] =
        Value::object({{"name", fmt::format("{}-{}", set, ++names_)}, {"namespace", "ns"}});
    pod["metadata"]["labels"] = Value::object({{"app", workload}, {nodes::kRebuildLabel, "true"}});
    pod["metadata"]["ownerReferences"] = owned_by(
        "ReplicaSet", set,
        api::Metadata(*cluster_.hub.find(nodes::replica_sets_resource(), "ns/" + set)).uid());
    cluster_.hub.put(nodes::pods_resource(), std::move(pod));
  }

  // What kube-controller-manager and the kubelets do, at their leisure.
  void plan_tick() {
    world_->schedule().add(world_->now() + kTick, [this] {
      for (const auto& [name, replicas] : wanted_) reconcile(name, replicas);
      for (const std::string& key : keys_of_pods([](const Value& pod) {
             return api::Metadata(pod).is_being_deleted() ||
                    text_field(field(pod, "status"), "phase") == "Failed";
           })) {
        if (random_->chance(0.4)) cluster_.erase_pod(key);
      }
      if (mistake_ == RebuildingMistake::Meddler) meddle();
      plan_tick();
    });
  }

  void reconcile(const std::string& name, int replicas) {
    std::vector<std::string> active;
    for (const Value* pod : pods_of(name)) {
      if (!api::Metadata(*pod).is_being_deleted())
        active.push_back(api::Metadata(*pod).key().text());
    }
    for (auto i = static_cast<int>(active.size()); i < replicas; ++i) make_pod(name);
    for (auto i = static_cast<std::size_t>(replicas); i < active.size(); ++i) remove(active[i]);
  }

  // Pods without a node have nobody who would take leave of them.
  void remove(const std::string& key) {
    cluster_.node_of(key).empty() ? cluster_.erase_pod(key) : cluster_.begin_deletion(key);
  }

  template <typename Wanted>
  std::vector<std::string> keys_of_pods(const Wanted& wanted) {
    std::vector<std::string> keys;
    for (const auto& [key, pod] : state(nodes::pods_resource())) {
      if (wanted(pod)) keys.push_back(key);
    }
    return keys;
  }

  // --- What changes ------------------------------------------------------------------------------

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 4'000));
    world_->schedule().add(world_->now() + gap, [this] {
      if (is_busy()) {
        mutate();
        plan_mutation();
      } else {
        for (int i = 0; i < kNodes; ++i) put_node(fmt::format("n{}", i), false);
      }
    });
  }

  void mutate() {
    const std::string node = fmt::format("n{}", random_->below(kNodes));
    const std::string workload = fmt::format("d{}", random_->below(kWorkloads));
    switch (random_->below(10)) {
      case 0:
        return lose_node(node);
      case 1:
        return put_node(node, random_->chance(0.5));
      case 2:
        roll_out(workload);
        return kill_one(workload);
      case 3:
      case 4:
        wanted_[workload] = static_cast<int>(random_->below(kReplicasMax + 1));
        return put_deployment(workload);
      default:
        return kill_one(workload);
    }
  }

  void kill_one(const std::string& workload) {
    const auto pods = keys_of_pods([&](const Value& pod) {
      return api::Metadata(pod).labels().find("app") == workload &&
             !api::Metadata(pod).is_being_deleted();
    });
    if (pods.empty()) return;
    const std::string& key = pods[random_->below(pods.size())];
    switch (random_->below(3)) {
      case 0:
        return cluster_.erase_pod(key);  // By force.
      case 1: {
        Value pod = *cluster_.find_pod(key);
        pod["status"]["phase"] = "Failed";
        return cluster_.hub.put(nodes::pods_resource(), std::move(pod));
      }
      default:
        return remove(key);
    }
  }

  // With all that was on it. Another one of the name comes some time.
  void lose_node(const std::string& node) {
    if (!cluster_.hub.find(nodes::nodes_resource(), node)) return;
    cluster_.hub.erase(nodes::nodes_resource(), node);
    for (const std::string& key : keys_of_pods([&](const Value& pod) {
           return text_field(field(pod, "spec"), "nodeName") == node;
         })) {
      cluster_.erase_pod(key);
    }
  }

  void meddle() {
    for (const std::string& key : keys_of_pods([](const Value& pod) {
           return !api::Pod::from_json(pod).is_bound() && !api::Metadata(pod).is_being_deleted();
         })) {
      Value pod = *cluster_.find_pod(key);
      pod["spec"]["nodeName"] = "n0";
      cluster_.hub.put(nodes::pods_resource(), std::move(pod));
      judge(key, "n0");
    }
  }

  // --- What must never happen --------------------------------------------------------------------

  void judge(const std::string& key, const std::string& node) {
    int cores = 0;
    std::map<std::string, int> claims;
    for (const auto& [other, pod] : state(nodes::pods_resource())) {
      if (text_field(field(pod, "status"), "phase") == "Failed") continue;
      if (text_field(field(pod, "spec"), "nodeName") == node) ++cores;
      const auto claim = api::Metadata(pod).annotations().find(nodes::kClaimAnnotation);
      if (claim && ++claims[std::string(*claim)] > 1) {
        wrong_ = fmt::format("{} is on a hold that another pod has", key);
      }
    }
    if (cores > kCores) wrong_ = fmt::format("{} has {} pods after {}", node, cores, key);
  }

  RebuildingMistake mistake_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  nodes::testing::ModelCluster cluster_;
  std::size_t controllers_ = 1;
  std::size_t schedulers_ = 1;
  std::map<std::string, std::weak_ptr<const Scheduler>> running_;  // By machine.
  std::map<std::string, int> wanted_;                              // Replicas by workload.
  std::map<std::string, std::string> sets_;                        // The newest ReplicaSet of each.
  int names_ = 0;
  std::string wrong_;
};

}  // namespace

sim::Suite rebuilding_suite(RebuildingMistake mistake) {
  return {.name = "rebuilding",
          .make = [mistake] { return std::make_unique<Rebuilding>(mistake); },
          .faults = {"bad-network", "clogs", "cut-streams", "kills", "partitions"},
          .faulty = kBusy,
          .settles_within = 20min};
}

}  // namespace berth::suites
