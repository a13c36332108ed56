#include "suites/delivering.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/registration/resources.h"
#include "fleet/work/next_step.h"
#include "suites/delivering_agent.h"
#include "suites/delivering_outcome.h"
#include "suites/trouble.h"
#include "upkeep/resources.h"
#include "upkeep/testing/model_cluster_service.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using api::field;
using api::text_field;
using client::Gvr;
using json::Value;

constexpr Duration kBusy = 90s;
constexpr Duration kGrace = 15min;
constexpr Duration kApart = 1h;
constexpr Duration kClockError = 10min;

// Objects called o1, o2, ... go with the last work that wants them; those called k1, k2, ... are
// orphaned by their works; those called f1, f2, ... are others'. Whatever is called the same has
// the same content, so that works never fight.
class Delivering final : public sim::Workload {
 public:
  explicit Delivering(DeliveringMistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    if (mistake_ == DeliveringMistake::LooseDeletes) cluster_.ignore_preconditions();
    furnish();
    serve("hub", hub_);
    serve("cluster", cluster_);
    constexpr double kKills[] = {0, 0.05, 0.3, 1};
    kill_share_ = kKills[random_->below(std::size(kKills))];
    loses_works_ = random_->chance(0.3);
    man();
    plan_mutation();
    world.schedule().add(kBusy + 5s, [this] { begin_outage(); });
  }

  Status check() override {
    if (wrong_.empty()) return {};
    return failure(Code::InternalError, wrong_);
  }

  Status settled() override {
    if (world_->now() < quiet_from_) return missing("still changing");
    for (const std::string& key : hub_.keys(fleet::manifest_works())) {
      RETURN_IF_ERROR(is_delivered(*hub_.find(fleet::manifest_works(), key), cluster_));
    }
    for (const std::string& key : cluster_.keys(fleet::applied_manifest_works())) {
      if (key != "others" && !find_work(key)) return missing("record " + key + " should be gone");
    }
    return nothing_is_left(hub_, cluster_, adopted_);
  }

 private:
  static constexpr int kWorks = 4;
  static constexpr int kObjects = 5;

  static Status missing(std::string what) { return failure(Code::Timeout, std::move(what)); }
  bool is_busy() const { return world_->now() < kBusy; }

  // One agent, which may think that there could be more, or two that take turns.
  void man() {
    const bool is_unelected = mistake_ == DeliveringMistake::Unelected;
    const bool is_alone = random_->chance(0.5) && !is_unelected;
    is_elected_ = !is_unelected && (!is_alone || random_->chance(0.3));
    agents_ = {"agent-1"};
    if (!is_alone) agents_.emplace_back("agent-2");
    for (const std::string& machine : agents_) {
      world_->add_node(machine).start([this](std::span<env::Env> loops) -> std::shared_ptr<void> {
        if (mistake_ == DeliveringMistake::NoAgent) return std::make_shared<int>(0);
        const bool is_hasty = mistake_ == DeliveringMistake::HastyEviction;
        return run_work_agent(
            loops[0], {.eviction_grace = is_hasty ? 1ms : kGrace, .is_elected = is_elected_});
      });
    }
  }

  void furnish() {
    hub_.define(fleet::manifest_works(), "ManifestWork", true);
    cluster_.define(fleet::applied_manifest_works(), "AppliedManifestWork", false);
    cluster_.define(things(), "Thing", true);
    cluster_.define(fleet::leases(), "Lease", true);
    hub_.apply(upkeep::namespaces(), R"({"metadata":{"name":"cluster1"}})");
    cluster_.apply(upkeep::namespaces(), R"({"metadata":{"name":"app"}})");
    // Another agent's record, whose objects are none of our business.
    cluster_.apply(fleet::applied_manifest_works(),
                   R"({"metadata":{"name":"others"},"spec":{"agentID":"other"}})");
    for (int i = 0; i < 3; ++i) {
      cluster_.put(upkeep::config_maps(), object_called("ConfigMap", fmt::format("f{}", i)));
    }
    cluster_.on_removal = [this](const Gvr& gvr, const Value& object) { judge(gvr, object); };
    cluster_.on_write = [this](const std::string& what) { on_cluster_write(what); };
    hub_.on_write = [this](const std::string&) { perhaps_kill(); };
  }

  void serve(const std::string& host, upkeep::testing::ModelCluster& cluster) {
    world_->add_node(host).start([this, &cluster](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(
          cluster.serve(loops[0], [this] { return trouble(); }));
    });
  }

  static Value object_called(const std::string& kind, const std::string& name) {
    return Value::object({{"apiVersion", kind == "Thing" ? "example.com/v1" : "v1"},
                          {"kind", kind},
                          {"metadata", Value::object({{"name", name}, {"namespace", "app"}})},
                          {"data", Value::object({{"content", name}})}});
  }

  // The hub's work of that record; null if there is none.
  const Value* find_work(const std::string& record) const {
    const Value* object = cluster_.find(fleet::applied_manifest_works(), record);
    if (!object) return nullptr;
    return hub_.find(fleet::manifest_works(),
                     "cluster1/" + text_field(field(*object, "spec"), "manifestWorkName"));
  }

  // What no work has ever stopped to want must never go.
  void note_wishes() {
    std::map<std::string, std::set<std::string>> now;
    for (const std::string& key : hub_.keys(fleet::manifest_works())) {
      const Value& work = *hub_.find(fleet::manifest_works(), key);
      if (!api::Metadata(work).is_being_deleted()) now[key] = wanted_by(work);
    }
    for (const auto& [work, names] : wishes_) {
      for (const std::string& name : names) {
        if (!now[work].contains(name)) may_go_.insert(name);
      }
    }
    wishes_ = std::move(now);
  }

  // Whether the agent may delete the object as it is now.
  void judge(const Gvr& gvr, const Value& object) {
    const api::Metadata metadata(object);
    const std::string name(metadata.name());
    if (gvr == fleet::applied_manifest_works()) return judge_record(object);
    if (gvr != things() && gvr != upkeep::config_maps()) return;
    const std::string called = (gvr == things() ? "Thing/" : "ConfigMap/") + name;
    if (name.starts_with("f")) wrong_ = called + " was others' and was deleted";
    if (name.starts_with("k")) wrong_ = called + " should be orphaned and was deleted";
    if (!may_go_.contains(called)) wrong_ = called + " was wanted all the time and was deleted";
    if (metadata.owner_references().size() > 1) {
      wrong_ = called + " had another owner and was deleted";
    }
  }

  void judge_record(const Value& record) {
    const std::string name(api::Metadata(record).name());
    const bool was_asked_for =
        removed_.contains(text_field(field(record, "spec"), "manifestWorkName"));
    if (find_work(name) || was_asked_for) return;
    const auto start = api::time_field(field(record, "status"), "evictionStartTime");
    // A wrong clock may shorten it, but not by more than it is wrong; a second is lost in the text.
    const bool waited = start && world_->node("cluster").clock().wall(world_->now()) - *start >=
                                     kGrace - kClockError - 1s;
    if (!waited) wrong_ = "record " + name + " was evicted at once";
  }

  std::string draw_name(std::string_view kind) {
    return fmt::format("{}{}", kind, random_->below(kObjects));
  }

  Value draw_spec() {
    const bool orphans = random_->chance(0.25);
    std::set<std::pair<std::string, std::string>> chosen;
    for (std::uint64_t i = random_->below(4) + 1; i > 0; --i) {
      chosen.emplace(random_->chance(0.5) ? "Thing" : "ConfigMap", draw_name(orphans ? "k" : "o"));
    }
    Value spec;
    for (const auto& [kind, name] : chosen) {
      spec["workload"]["manifests"].push_back(object_called(kind, name));
    }
    if (orphans) spec["deleteOption"] = Value::object({{"propagationPolicy", "Orphan"}});
    return spec;
  }

  // A policy belongs to a work for good: what is owned now and orphaned later, or the other way
  // round, is for people to think about.
  bool is_same_policy(const Value& a, const Value& b) {
    return field(field(a, "spec"), "deleteOption") == field(b, "deleteOption");
  }

  void put_work() {
    const std::string name = fmt::format("w{}", random_->below(kWorks));
    const Value* there = hub_.find(fleet::manifest_works(), "cluster1/" + name);
    Value spec = draw_spec();
    if (there && (api::Metadata(*there).is_being_deleted() || !is_same_policy(*there, spec)))
      return;
    Value work = there ? *there : Value::object({{"kind", "ManifestWork"}});
    work["metadata"]["name"] = name;
    work["metadata"]["namespace"] = "cluster1";
    work["metadata"]["generation"] = ++generations_;
    work["spec"] = std::move(spec);
    hub_.put(fleet::manifest_works(), std::move(work));
  }

  std::optional<std::string> draw_work() {
    const auto keys = hub_.keys(fleet::manifest_works());
    if (keys.empty()) return std::nullopt;
    return keys[random_->below(keys.size())];
  }

  void remove_work() {
    const auto key = draw_work();
    if (!key) return;
    removed_.insert(key->substr(key->find('/') + 1));
    hub_.remove(fleet::manifest_works(), *key);
  }

  // As somebody does who takes the finalizer off by hand.
  void lose_work() {
    if (const auto key = draw_work()) hub_.erase(fleet::manifest_works(), *key);
  }

  std::optional<std::pair<Gvr, std::string>> draw_object() {
    const Gvr gvr = random_->chance(0.5) ? things() : upkeep::config_maps();
    const auto keys = cluster_.keys(gvr);
    if (keys.empty()) return std::nullopt;
    return std::pair(gvr, keys[random_->below(keys.size())]);
  }

  void meddle() {
    const auto target = draw_object();
    if (!target) return;
    const auto& [gvr, key] = *target;
    Value object = *cluster_.find(gvr, key);
    if (key.starts_with("app/f") || api::Metadata(object).is_being_deleted()) return;
    if (random_->chance(0.3)) return cluster_.erase(gvr, key);
    object["data"]["content"] = "meddled";
    cluster_.put(gvr, std::move(object));
  }

  // Finalizers keep objects for a while after their deletion.
  void hold() {
    const auto target = draw_object();
    if (!target) return;
    const auto& [gvr, key] = *target;
    Value object = *cluster_.find(gvr, key);
    if (api::Metadata(object).is_being_deleted()) return;
    cluster_.put(gvr, fleet::with_finalizer(std::move(object), "example.com/hold"));
    world_->schedule().add(world_->now() + 20s, [this, gvr, key] { let_go(gvr, key); });
  }

  void let_go(const Gvr& gvr, const std::string& key) {
    const Value* object = cluster_.find(gvr, key);
    if (!object) return;
    if (api::Metadata(*object).is_being_deleted()) return cluster_.erase(gvr, key);
    cluster_.put(gvr, fleet::without_finalizer(*object, "example.com/hold"));
  }

  // Now and then an object gets another owner just before its deletion arrives.
  void on_cluster_write(std::string_view what) {
    perhaps_kill();
    if (!is_busy() || !random_->chance(0.2)) return;
    for (const std::string kind : {"ConfigMap", "Thing"}) {
      const Gvr gvr = resource_of(kind);
      const std::string deletes = "DELETE " + gvr.resource + "/";
      if (what.starts_with(deletes)) adopt(gvr, kind, std::string(what.substr(deletes.size())));
    }
  }

  void adopt(const Gvr& gvr, const std::string& kind, const std::string& key) {
    const Value* there = cluster_.find(gvr, key);
    if (!there || api::Metadata(*there).is_being_deleted()) return;
    Value object = *there;
    object["metadata"]["ownerReferences"].push_back(
        cluster_.reference_to(fleet::applied_manifest_works(), "others"));
    adopted_.insert(kind + "/" + std::string(api::Metadata(object).name()));
    cluster_.put(gvr, std::move(object));
  }

  // An agent dies at a write, which may or may not arrive and need not be its own.
  void perhaps_kill() {
    if (!is_busy() || !random_->chance(kill_share_)) return;
    const std::string machine = agents_[random_->below(agents_.size())];
    world_->schedule().add(world_->now(), [this, machine] {
      take_down(machine, std::chrono::milliseconds(random_->between(1, 2000)));
    });
  }

  void take_down(const std::string& machine, Duration length) {
    sim::Node& node = world_->node(machine);
    if (node.is_running()) node.crash(sim::Crash::Process);
    node.restart_after(length);
  }

  // For good.
  void disturb_clock() {
    const std::string machine = agents_[random_->below(agents_.size())];
    if (!disturbed_.insert(machine).second) return;
    world_->node(machine).clock().step_wall(random_->chance(0.5) ? kClockError : -kClockError);
  }

  // An hour without somebody, in which the others go on.
  void begin_outage() {
    const auto draw = random_->below(12);
    quiet_from_ = world_->now() + (draw < 4 ? kApart + 5min : Duration::zero());
    if (draw == 0) take_down("hub", kApart);
    if (draw == 1) take_down("cluster", kApart);
    if (draw == 2) {
      for (const std::string& machine : agents_) take_down(machine, kApart);
    }
    if (draw == 3) part();
  }

  void part() {
    for (const std::string& machine : agents_) {
      world_->fabric().block("hub", machine);
      world_->fabric().block(machine, "hub");
    }
    world_->schedule().add(world_->now() + kApart, [this] { world_->fabric().heal(); });
  }

  void mutate() {
    const auto draw = random_->below(40);
    if (draw < 25) {
      change_works(draw);
    } else if (draw < 35) {
      meddle();
    } else if (draw < 39) {
      hold();
    } else {
      disturb_clock();
    }
    note_wishes();
  }

  void change_works(std::uint64_t draw) {
    if (!world_->node("hub").is_running()) return;
    if (draw < 18) {
      put_work();
    } else if (draw < 23) {
      remove_work();
    } else if (loses_works_) {
      lose_work();
    }
  }

  void plan_mutation() {
    const Duration gap = is_busy() ? Duration(std::chrono::milliseconds(random_->between(1, 2000)))
                                   : Duration(std::chrono::seconds(random_->between(1, 300)));
    world_->schedule().add(world_->now() + gap, [this] {
      if (world_->now() >= quiet_from_) return;
      mutate();
      plan_mutation();
    });
  }

  int trouble() { return is_busy() ? draw_trouble(*random_) : 0; }

  DeliveringMistake mistake_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  std::vector<std::string> agents_;  // Their machines.
  bool is_elected_ = false;
  double kill_share_ = 0;
  bool loses_works_ = false;  // What they brought is waited for until it is evicted.
  Duration quiet_from_ = Duration::max();
  upkeep::testing::ModelCluster hub_;
  upkeep::testing::ModelCluster cluster_;
  std::map<std::string, std::set<std::string>> wishes_;  // By work.
  std::set<std::string> may_go_;
  std::set<std::string> removed_;  // Works whose deletion was asked for at least once.
  std::set<std::string> adopted_;
  std::set<std::string> disturbed_;  // Machines whose clock is wrong.
  std::int64_t generations_ = 0;
  std::string wrong_;
};

}  // namespace

sim::Suite delivering_suite(DeliveringMistake mistake) {
  return {.name = "work",
          .make = [mistake] { return std::make_unique<Delivering>(mistake); },
          .faults = {"bad-network", "clogs", "cut-streams", "kills", "partitions", "power-losses"},
          .faulty = kBusy,
          .settles_within = 2h};
}

}  // namespace berth::suites
