#include "kube/comparison/hub.h"

#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/placement_decision.h"
#include "kube/comparison/fleet_generator.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr auto kPatience = std::chrono::seconds(10);
constexpr auto kGlance = std::chrono::milliseconds(2);
constexpr int kRounds = 3;

// A placement of its own that nothing is bound to: it only tells where the queue has got to.
const ObjectName kSentinel{.ns = "sentinel", .name = "sentinel"};

client::ResourcePath collection_of(ObjectKind kind, const std::string& ns) {
  return path_of(kind, {.ns = ns});
}

}  // namespace

Hub::Hub(const std::filesystem::path& kubeconfig) : api_(kubeconfig, {.rate = {.per_second = 0}}) {}

Result<std::unique_ptr<Hub>> Hub::open(const std::filesystem::path& kubeconfig) {
  std::unique_ptr<Hub> hub(new Hub(kubeconfig));
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
  Result<Value> answer = Value();
  switch (edit.verb) {
    case Edit::Verb::Create:
      answer = api_.create(collection_of(edit.kind, edit.name.ns), edit.body);
      break;
    case Edit::Verb::PatchStatus:
      path.subresource = "status";
      [[fallthrough]];
    case Edit::Verb::Patch:
      answer = api_.patch(path, edit.body, {});
      break;
    case Edit::Verb::Delete:
      answer = api_.remove(path);
      break;
  }
  if (!answer.ok()) return failure(answer.error());
  path.subresource.clear();
  // Finalizers decide whether a deleted object is still there.
  const Result<Value> now = api_.get(path);
  if (now.ok()) {
    objects_.put(edit.kind, *now);
  } else if (now.error().code == Code::NotFound) {
    objects_.remove(edit.kind, edit.name);
  } else {
    return failure(now.error());
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
