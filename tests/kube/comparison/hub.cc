#include "kube/comparison/hub.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/placement.h"
#include "api/kinds/placement_decision.h"
#include "kube/comparison/fleet_generator.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr auto kPatience = std::chrono::seconds(60);
constexpr auto kGlance = std::chrono::milliseconds(2);
constexpr int kRounds = 3;

// A placement of its own that nothing is bound to: it only tells where the queue has got to.
const ObjectName kSentinel{.ns = "sentinel", .name = "sentinel"};

client::ResourcePath collection_of(ObjectKind kind, const std::string& ns) {
  return path_of(kind, {.ns = ns});
}

// The taint of that key, value and effect; null if there is none.
const Value* find_taint(const Value* cluster, const Value& taint) {
  const Value* taints = cluster ? cluster->find_path({"spec", "taints"}) : nullptr;
  if (!taints) return nullptr;
  const auto is_same = [&taint](const Value& other) {
    return std::ranges::all_of(std::array{"key", "value", "effect"}, [&](const char* name) {
      return api::text_field(other, name) == api::text_field(taint, name);
    });
  };
  const auto found = std::ranges::find_if(taints->elements(), is_same);
  return found == taints->elements().end() ? nullptr : &*found;
}

// The embedded hub does what OCM's webhook does: it says itself when a taint was added, and nobody
// changes that; one key has one taint. What it says comes back with the object.
Value with_times_of(const Value* cluster, Value body) {
  Value* spec = body.find("spec");
  Value* taints = spec ? spec->find("taints") : nullptr;
  if (!taints) return body;
  std::set<std::string> keys;
  Value kept = Value::array();
  for (Value& taint : taints->elements()) {
    if (!keys.insert(api::text_field(taint, "key")).second) continue;
    taint.erase("timeAdded");
    const Value* old = find_taint(cluster, taint);
    if (const Value* time = old ? old->find("timeAdded") : nullptr) taint["timeAdded"] = *time;
    kept.push_back(std::move(taint));
  }
  *taints = std::move(kept);
  return body;
}

}  // namespace

Hub::Hub(const Server& server)
    : api_(server.kubeconfig(), {.rate = {.per_second = 0}}), kind_(server.kind()) {}

Result<std::unique_ptr<Hub>> Hub::open(const Server& server) {
  std::unique_ptr<Hub> hub(new Hub(server));
  RETURN_IF_ERROR(hub->make_namespaces());
  Value sentinel = new_object(ObjectKind::Placement, kSentinel);
  sentinel["spec"] = Value::object();
  const auto made = hub->api_.create(collection_of(ObjectKind::Placement, kSentinel.ns), sentinel);
  if (!made.ok()) return failure(made.error());
  return hub;
}

Status Hub::make_namespaces() {
  std::vector<std::string> names(std::begin(kPlacementNamespaces), std::end(kPlacementNamespaces));
  names.push_back(kSentinel.ns);
  for (int i = 0; i < kClustersMax; ++i) names.push_back(cluster_name(i));
  for (const std::string& name : names) {
    const Value object = Value::object({{"apiVersion", "v1"},
                                        {"kind", "Namespace"},
                                        {"metadata", Value::object({{"name", name}})}});
    const auto made =
        api_.create({.resource = {.version = "v1", .resource = "namespaces"}}, object);
    if (!made.ok()) return failure(made.error());
  }
  return {};
}

Status Hub::apply(const Edit& edit) {
  client::ResourcePath path = path_of(edit.kind, edit.name);
  const bool is_guarded = kind_ == ServerKind::EmbeddedHub && edit.kind == ObjectKind::Cluster;
  const Value body =
      is_guarded ? with_times_of(objects_.find(edit.kind, edit.name), edit.body) : edit.body;
  Result<Value> answer = Value();
  switch (edit.verb) {
    case Edit::Verb::Create:
      answer = api_.create(collection_of(edit.kind, edit.name.ns), body);
      break;
    case Edit::Verb::PatchStatus:
      path.subresource = "status";
      [[fallthrough]];
    case Edit::Verb::Patch:
      answer = api_.patch(path, body, {});
      break;
    case Edit::Verb::Delete:
      answer = api_.remove(path);
      break;
  }
  if (!answer.ok()) {
    // The generator does not know how many decisions there are.
    const bool is_nobody =
        edit.kind == ObjectKind::Decision && answer.error().code == Code::NotFound;
    return is_nobody ? Status() : failure(answer.error());
  }
  // Not read again: the controller may have answered the edit already.
  const bool is_kept = answer->find_path({"metadata", "finalizers"});
  if (is_gone(*answer) || (edit.verb == Edit::Verb::Delete && !is_kept)) {
    objects_.remove(edit.kind, edit.name);
  } else {
    objects_.put(edit.kind, *std::move(answer));
  }
  return {};
}

Status Hub::clear() {
  // Placements first: without them the controller writes no decisions.
  for (const ObjectKind kind : {ObjectKind::Placement, ObjectKind::Binding, ObjectKind::Set,
                                ObjectKind::Score, ObjectKind::Cluster}) {
    const Objects::Table table = objects_.all(kind);
    for (const auto& [name, object] : table) {
      if (object.find_path({"metadata", "finalizers"})) {
        RETURN_IF_ERROR(apply(
            {.verb = Edit::Verb::Patch,
             .kind = kind,
             .name = name,
             .body = Value::object({{"metadata", Value::object({{"finalizers", nullptr}})}})}));
      }
      if (objects_.find(kind, name)) {
        RETURN_IF_ERROR(apply({.verb = Edit::Verb::Delete, .kind = kind, .name = name}));
      }
    }
  }
  RETURN_IF_ERROR(settle());
  RETURN_IF_ERROR(refresh());
  const Objects::Table decisions = objects_.all(ObjectKind::Decision);
  for (const auto& [name, object] : decisions) {
    RETURN_IF_ERROR(
        apply({.verb = Edit::Verb::Delete, .kind = ObjectKind::Decision, .name = name}));
  }
  return settle();
}

Status Hub::refresh() {
  for (const ObjectKind kind : {ObjectKind::Placement, ObjectKind::Decision}) {
    const auto list = api_.list(collection_of(kind, ""));
    if (!list.ok()) return failure(list.error());
    objects_.replace(kind, *list);
    const Objects::Table table = objects_.all(kind);
    for (const auto& [name, object] : table) {
      if (name.ns == kSentinel.ns) objects_.remove(kind, name);
    }
  }
  return {};
}

Status Hub::poke(const ObjectName& placement) {
  const Value* asked = objects_.find(ObjectKind::Placement, placement);
  if (asked && api::read_placement(*asked).is_disabled()) return {};
  const ObjectName name{.ns = placement.ns, .name = fmt::format("poke-{}", ++pokes_)};
  Value object = new_object(ObjectKind::Decision, name);
  object["metadata"]["labels"][api::kPlacementLabel] = placement.name;
  const auto made = api_.create(collection_of(ObjectKind::Decision, name.ns), object);
  if (!made.ok()) return failure(made.error());
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    const auto found = api_.get(path_of(ObjectKind::Decision, name));
    if (!found.ok() && found.error().code == Code::NotFound) return {};
    std::this_thread::sleep_for(kGlance);
  }
  return failure(Code::Timeout,
                 fmt::format("the controller did not look at {}/{}", placement.ns, placement.name));
}

Status Hub::settle() {
  for (int round = 0; round < kRounds; ++round) RETURN_IF_ERROR(poke(kSentinel));
  return {};
}

}  // namespace berth::kube
