#include "suites/upkeeping.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "suites/trouble.h"
#include "upkeep/resources.h"
#include "upkeep/testing/model_cluster_service.h"
#include "upkeep/upkeep_service.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using client::Gvr;
using client::Propagation;
using json::Value;

const Gvr& things() {
  static const Gvr gvr{"example.com", "v1", "things"};
  return gvr;
}

std::string key_of(const Value& object) { return api::Metadata(object).key().text(); }

class Upkeeping final : public sim::Workload {
 public:
  explicit Upkeeping(UpkeepingMistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    if (mistake_ == UpkeepingMistake::LooseDeletes) cluster_.ignore_preconditions();
    cluster_.define(things(), "Thing", true);
    cluster_.on_removal = [this](const Gvr& gvr, const Value& object) { judge(gvr, object); };
    cluster_.on_write = [this](const std::string& what) { on_write(what); };
    for (int i = 0; i < kNamespaces; ++i) put_namespace(i);
    for (int i = 0; i < 20; ++i) put_object();
    world.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(
          cluster_.serve(loops[0], [this] { return trouble(); }));
    });
    world.add_node("berth").start([this](std::span<env::Env> loops) {
      auto upkeep = std::make_shared<upkeep::Upkeep>(
          loops[0], client::testing::model_config("http"),
          upkeep::UpkeepSettings{
              .ca_pem = "PEM", .sign_token = nullptr, .sign_certificate = nullptr});
      if (mistake_ != UpkeepingMistake::NoUpkeep) upkeep->start();
      return upkeep;
    });
    plan_mutation();
  }

  Status check() override {
    if (wrong_.empty()) return {};
    return failure(Code::InternalError, wrong_);
  }

  Status settled() override {
    if (world_->now() < kBusy) return failure(Code::Timeout, "still changing");
    for (const Gvr& gvr : {things(), upkeep::config_maps()}) {
      for (const std::string& key : cluster_.keys(gvr)) {
        const Value& object = *cluster_.find(gvr, key);
        if (api::Metadata(object).is_being_deleted()) return missing(key + " should be gone");
        for (const Value& reference : references_of(object)) {
          if (!find_owner(object, reference)) return missing(key + " refers to nothing");
        }
      }
    }
    for (const std::string& ns : cluster_.keys(upkeep::namespaces())) {
      if (api::Metadata(*cluster_.find(upkeep::namespaces(), ns)).is_being_deleted()) {
        return missing("namespace " + ns + " should be gone");
      }
      const Value* map = cluster_.find(upkeep::config_maps(), ns + "/kube-root-ca.crt");
      const bool whole = map && api::text_field(api::field(*map, "data"), "ca.crt") == "PEM" &&
                         cluster_.find(upkeep::service_accounts(), ns + "/default");
      if (!whole) return missing("namespace " + ns + " is not furnished");
    }
    return {};
  }

 private:
  static constexpr Duration kBusy = 60s;
  static constexpr int kNamespaces = 3;

  static Status missing(std::string what) { return failure(Code::Timeout, std::move(what)); }

  static std::span<const Value> references_of(const Value& object) {
    return api::elements_field(api::field(object, "metadata"), "ownerReferences");
  }

  // The owner that the reference means, if it exists.
  const Value* find_owner(const Value& object, const Value& reference) const {
    const Gvr gvr =
        api::text_field(reference, "kind") == "Thing" ? things() : upkeep::config_maps();
    const std::string ns(api::Metadata(object).namespace_name());
    const Value* owner = cluster_.find(gvr, ns + "/" + api::text_field(reference, "name"));
    if (!owner || api::Metadata(*owner).uid() != api::text_field(reference, "uid")) return nullptr;
    return owner;
  }

  // Whether upkeep may delete the object as it is now.
  void judge(const Gvr& gvr, const Value& object) {
    if (gvr != things() && gvr != upkeep::config_maps()) return;
    const api::Metadata metadata(object);
    const Value* home = cluster_.find(upkeep::namespaces(), std::string(metadata.namespace_name()));
    const bool free_to_go =
        metadata.is_being_deleted() || !home || api::Metadata(*home).is_being_deleted();
    if (free_to_go) return;
    const bool owned = std::ranges::any_of(references_of(object), [&](const Value& reference) {
      const Value* owner = find_owner(object, reference);
      return owner && !api::Metadata(*owner).is_being_deleted();
    });
    if (owned) wrong_ = key_of(object) + " had an owner and was deleted";
    if (references_of(object).empty()) wrong_ = key_of(object) + " was nobody's and was deleted";
  }

  std::string draw_namespace() { return fmt::format("n{}", random_->below(kNamespaces)); }

  void put_namespace(int i) {
    const std::string name = fmt::format("n{}", i);
    if (cluster_.find(upkeep::namespaces(), name)) return;
    cluster_.apply(upkeep::namespaces(), fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
  }

  // One of the objects in the namespace; nothing if there are none.
  std::optional<std::pair<Gvr, std::string>> draw_object(const std::string& ns) {
    std::vector<std::pair<Gvr, std::string>> all;
    for (const Gvr& gvr : {things(), upkeep::config_maps()}) {
      for (const std::string& key : cluster_.keys(gvr)) {
        if (key.starts_with(ns + "/o")) all.emplace_back(gvr, key);
      }
    }
    if (all.empty()) return std::nullopt;
    return all[random_->below(all.size())];
  }

  Value draw_reference(const std::string& ns) {
    const auto owner = draw_object(ns);
    if (!owner) return {};
    Value reference = cluster_.reference_to(owner->first, owner->second);
    if (random_->chance(0.5)) reference["blockOwnerDeletion"] = true;
    return reference;
  }

  bool is_open(const std::string& ns) const {
    const Value* home = cluster_.find(upkeep::namespaces(), ns);
    return home && !api::Metadata(*home).is_being_deleted();
  }

  void put_object() {
    const std::string ns = draw_namespace();
    if (!is_open(ns)) return;
    Value object;
    object["metadata"] = Value::object({{"name", fmt::format("o{}", ++names_)}, {"namespace", ns}});
    for (std::uint64_t i = random_->below(3); i > 0; --i) {
      Value reference = draw_reference(ns);
      if (!reference.is_null()) object["metadata"]["ownerReferences"].push_back(reference);
    }
    cluster_.put(random_->chance(0.5) ? things() : upkeep::config_maps(), std::move(object));
  }

  // Now and then an object gets another owner just before its deletion arrives.
  void on_write(std::string_view what) {
    if (world_->now() > kBusy || !random_->chance(0.2)) return;
    for (const Gvr& gvr : {things(), upkeep::config_maps()}) {
      const std::string deletes = "DELETE " + gvr.resource + "/";
      const bool ours = what.starts_with(deletes) && what.contains("/o");
      if (ours) adopt(gvr, std::string(what.substr(deletes.size())));
    }
  }

  void adopt() {
    const auto child = draw_object(draw_namespace());
    if (child) adopt(child->first, child->second);
  }

  void adopt(const Gvr& gvr, const std::string& key) {
    const Value* child = cluster_.find(gvr, key);
    if (!child || api::Metadata(*child).is_being_deleted()) return;
    Value object = *child;
    const Value reference = draw_reference(std::string(api::Metadata(object).namespace_name()));
    const bool itself = api::Metadata(object).uid() == api::text_field(reference, "uid");
    if (reference.is_null() || itself) return;
    object["metadata"]["ownerReferences"] = Value::array({reference});
    cluster_.put(gvr, std::move(object));
  }

  void remove_object() {
    constexpr Propagation kPolicies[] = {Propagation::Background, Propagation::Foreground,
                                         Propagation::Orphan};
    const auto victim = draw_object(draw_namespace());
    if (!victim) return;
    cluster_.remove(victim->first, victim->second,
                    {.propagation = kPolicies[random_->below(std::size(kPolicies))]});
  }

  void meddle() {
    const std::string key = draw_namespace() + "/kube-root-ca.crt";
    const Value* map = cluster_.find(upkeep::config_maps(), key);
    if (!map) return;
    if (random_->chance(0.5)) return cluster_.erase(upkeep::config_maps(), key);
    Value forged = *map;
    forged["data"]["ca.crt"] = "forged";
    cluster_.put(upkeep::config_maps(), std::move(forged));
  }

  void mutate() {
    const auto draw = random_->below(20);
    if (draw < 8) return put_object();
    if (draw < 12) return remove_object();
    if (draw < 16) return adopt();
    if (draw < 18) return meddle();
    const int i = static_cast<int>(random_->below(kNamespaces));
    const std::string name = fmt::format("n{}", i);
    is_open(name) && draw == 18 ? cluster_.remove(upkeep::namespaces(), name) : put_namespace(i);
  }

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 1000));
    world_->schedule().add(world_->now() + gap, [this] {
      mutate();
      if (world_->now() < kBusy) plan_mutation();
    });
  }

  int trouble() { return world_->now() > kBusy ? 0 : draw_trouble(*random_); }

  UpkeepingMistake mistake_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  upkeep::testing::ModelCluster cluster_;
  int names_ = 0;
  std::string wrong_;
};

}  // namespace

sim::Suite upkeeping_suite(UpkeepingMistake mistake) {
  return {.name = "upkeep",
          .make = [mistake] { return std::make_unique<Upkeeping>(mistake); },
          .faults = {"bad-network", "clock-errors", "clogs", "cut-streams", "kills", "partitions",
                     "power-losses"},
          .faulty = 60s,
          .settles_within = 30min};
}

}  // namespace berth::suites
