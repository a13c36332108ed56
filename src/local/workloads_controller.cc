#include "local/workloads_controller.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "api/metadata.h"
#include "base/check.h"
#include "client/errors.h"
#include "local/daemon_set.h"
#include "local/deployment.h"
#include "local/job.h"
#include "local/replica_set.h"
#include "local/stateful_set.h"
#include "local/workload_caches_service.h"

namespace berth::local {
namespace {

using json::Value;

constexpr std::size_t kInWorkMax = 16;

struct KindFacts {
  Kind kind;
  client::Gvr resource;
  std::string_view name;  // As owner references say.
};

const std::array<KindFacts, 7>& kinds() {
  static const std::array<KindFacts, 7> facts = {
      {{Kind::Deployments, {"apps", "v1", "deployments"}, "Deployment"},
       {Kind::ReplicaSets, {"apps", "v1", "replicasets"}, "ReplicaSet"},
       {Kind::StatefulSets, {"apps", "v1", "statefulsets"}, "StatefulSet"},
       {Kind::DaemonSets, {"apps", "v1", "daemonsets"}, "DaemonSet"},
       {Kind::Jobs, {"batch", "v1", "jobs"}, "Job"},
       {Kind::Pods, {"", "v1", "pods"}, "Pod"},
       {Kind::Nodes, {"", "v1", "nodes"}, "Node"}}};
  return facts;
}

const KindFacts& facts_of(Kind kind) { return *std::ranges::find(kinds(), kind, &KindFacts::kind); }

std::vector<const Value*> bodies_of(const client::ObjectSet& objects) {
  std::vector<const Value*> bodies;
  for (const client::ObjectPtr& object : objects) bodies.push_back(&object->body());
  return bodies;
}

}  // namespace

WorkloadsController::WorkloadsController(const env::Env& env, client::Api& api,
                                         client::Informers& caches, control::MayWrite may_write)
    : env_(env),
      api_(api),
      committer_(env.loop, api, std::move(may_write), {.field_manager = "berth-workloads"}),
      reconciler_(env, "workloads", kInWorkMax, [this](const Key& key) { work(key); }) {
  for (const KindFacts& facts : kinds()) follow(facts.kind, caches.of(facts.resource));
}

WorkloadsController::~WorkloadsController() {
  for (const Cache& cache : caches_) cache.informer.remove_handler(cache.handler);
}

void WorkloadsController::follow(Kind kind, client::InformerService& informer) {
  const client::HandlerId handler =
      informer.add_handler(scope_.guard([this, kind](const client::Delta& delta) {
        on_changed(kind, delta.object());
        start_when_synced();
      }));
  informer.when_synced(scope_.guard([this] { start_when_synced(); }));
  caches_.push_back({.kind = kind, .informer = informer, .handler = handler});
}

bool WorkloadsController::has_synced() const {
  return std::ranges::all_of(
      caches_, [](const Cache& cache) { return cache.informer.has_synced(cache.handler); });
}

void WorkloadsController::start_when_synced() {
  if (has_synced()) reconciler_.start();
}

// A workload hears of itself and of what it owns; a DaemonSet, of all nodes.
void WorkloadsController::on_changed(Kind kind, const client::Object& object) {
  if (kind == Kind::Nodes) {
    for (const client::ObjectPtr& set : cache(Kind::DaemonSets).store().objects()) {
      reconciler_.add({Kind::DaemonSets, set->key()});
    }
    return;
  }
  if (kind != Kind::Pods) reconciler_.add({kind, object.key()});
  const auto controller = api::Metadata(object.body()).controller();
  if (!controller) return;
  const auto owner = std::ranges::find(kinds(), controller->kind, &KindFacts::name);
  if (owner == kinds().end()) return;
  reconciler_.add({owner->kind, {.ns = std::string(object.ns()), .name = controller->name}});
}

const client::InformerService& WorkloadsController::cache(Kind kind) const {
  const auto found = std::ranges::find(caches_, kind, &Cache::kind);
  CHECK(found != caches_.end());
  return found->informer;
}

WorkloadPlan WorkloadsController::plan_of(const Key& key, const Value& object) const {
  const Time now = env_.clock.now();
  const Kind owned = key.kind == Kind::Deployments ? Kind::ReplicaSets : Kind::Pods;
  const std::vector<const Value*> theirs =
      bodies_of(cache(owned).store().with(kByController, api::Metadata(object).uid()));
  switch (key.kind) {
    case Kind::Deployments:
      return plan_deployment(object, theirs, now);
    case Kind::ReplicaSets:
      return plan_replica_set(object, theirs, now);
    case Kind::StatefulSets:
      return plan_stateful_set(object, theirs, now);
    case Kind::DaemonSets:
      return plan_daemon_set(object, theirs, nodes(), now);
    case Kind::Jobs:
      return plan_job(object, theirs, now);
    case Kind::Pods:
    case Kind::Nodes:
      break;
  }
  return {};
}

std::vector<api::Node> WorkloadsController::nodes() const {
  std::vector<api::Node> nodes;
  for (const client::ObjectPtr& object : cache(Kind::Nodes).store().objects()) {
    auto node = api::Node::from_json(object->body());
    if (node.ok()) nodes.push_back(*std::move(node));  // Otherwise nobody can say what fits on it.
  }
  return nodes;
}

void WorkloadsController::work(const Key& key) {
  const client::ObjectPtr object = cache(key.kind).store().find(key.object);
  if (!object) return reconciler_.finish(key);
  WorkloadPlan plan = plan_of(key, object->body());
  if (plan.again) reconciler_.add_after(key, *plan.again - env_.clock.now());
  if (plan.changes.empty()) return reconciler_.finish(key);
  commit(key, std::move(plan));
}

void WorkloadsController::commit(const Key& key, WorkloadPlan plan) {
  std::vector<control::Change> changes;
  for (ObjectChange& change : plan.changes) {
    changes.push_back({.resource = facts_of(change.kind).resource,
                       .before = std::move(change.before),
                       .after = std::move(change.after)});
  }
  auto sequence = control::sequence_of(std::move(changes));
  if (!sequence.ok()) return reconciler_.finish(key, failure(sequence.error()));
  const auto writes = std::make_shared<control::RememberedWrites>(*std::move(sequence));
  committer_.submit(writes, scope_.guard([this, key, writes](const Status& status) {
    if (!status.ok() && !client::is_stale_write(status.error())) {
      env_.log.warn("workloads.write_failed", {{"kind", facts_of(key.kind).name},
                                               {"object", key.object.text()},
                                               {"error", status.error().message}});
    }
    if (!status.ok()) return reconciler_.finish(key, status);
    await_caches(key, *writes);
  }));
}

void WorkloadsController::await_caches(const Key& key, const control::RememberedWrites& writes) {
  const auto awaited = std::make_shared<std::size_t>(writes.versions().size());
  if (*awaited == 0) return reconciler_.finish(key);
  for (const auto& [resource, version] : writes.versions()) {
    const auto facts = std::ranges::find(kinds(), resource, &KindFacts::resource);
    caches_[static_cast<std::size_t>(facts - kinds().begin())].informer.when_reached(
        version, scope_.guard([this, key, awaited] {
          if (--*awaited == 0) reconciler_.finish(key);
        }));
  }
}

}  // namespace berth::local
