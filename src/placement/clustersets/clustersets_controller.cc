#include "placement/clustersets/clustersets_controller.h"

#include <algorithm>
#include <utility>

#include "api/kinds/managed_cluster.h"
#include "api/kinds/managed_cluster_set.h"
#include "client/errors.h"
#include "json/merge_patch.h"
#include "placement/clustersets/cluster_sets.h"

namespace berth::placement {
namespace {

constexpr std::array kFollowed = {Watched::Clusters, Watched::Sets, Watched::Bindings};
constexpr std::size_t kInWorkMax = 16;

bool is_standard_set(std::string_view name) { return name == kDefaultSet || name == kGlobalSet; }

json::Value patched(const json::Value& object, const std::optional<json::Value>& patch) {
  return patch ? json::apply_merge_patch(object, *patch) : object;
}

}  // namespace

ClusterSetsController::ClusterSetsController(const env::Env& env, client::Api& api,
                                             client::Informers& informers,
                                             control::MayWrite may_write)
    : env_(env),
      committer_(env.loop, api, std::move(may_write), {.field_manager = "berth-clustersets"}),
      reconciler_(env, "clustersets", kInWorkMax, [this](const Key& key) { work(key); }),
      followed_(
          informers, resources_of(kFollowed),
          [this](Watched kind, const api::ObjectKey& key) { refresh(kind, key); },
          [this] { reconciler_.start(); }) {
  for (const std::string_view name : {kDefaultSet, kGlobalSet}) add_set(std::string(name));
}

// Takes an object as the cache shows it into the fleet, and all that it bears on into the queue.
void ClusterSetsController::refresh(Watched kind, const api::ObjectKey& key) {
  const client::ObjectPtr object = followed_.store(kind).find(key);
  reconciler_.add({kind, key});
  if (kind == Watched::Clusters) {
    const ClusterChange change = object
                                     ? fleet_.put_cluster(api::read_managed_cluster(object->body()))
                                     : fleet_.remove_cluster(key.name);
    if (!change.availability && change.sets_before == change.sets_after) return;
    for (const std::string& set : change.sets_before) add_set(set);
    for (const std::string& set : change.sets_after) add_set(set);
  } else if (kind == Watched::Sets) {
    if (object) {
      fleet_.put_set(api::read_managed_cluster_set(object->body()));
    } else {
      fleet_.remove_set(key.name);
    }
    for (const client::ObjectPtr& binding : followed_.store(Watched::Bindings).objects()) {
      if (binding->name() == key.name) reconciler_.add({Watched::Bindings, binding->key()});
    }
  }
}

void ClusterSetsController::add_set(const std::string& name) {
  reconciler_.add({Watched::Sets, {.ns = "", .name = name}});
}

void ClusterSetsController::work(const Key& key) {
  const client::ObjectPtr object = followed_.store(key.kind).find(key.object);
  const json::Value* is = object ? &object->body() : nullptr;
  std::optional<json::Value> should = wanted(key, is);
  if (!should || (is && *is == *should)) return reconciler_.finish(key);
  control::Change change{.resource = resource_of(key.kind), .after = std::move(should)};
  if (is) change.before = *is;
  committer_.submit(std::move(change), scope_.guard([this, key](const Status& status) {
    if (!status.ok() && !client::is_stale_write(status.error())) {
      env_.log.warn("clustersets.write_failed", {{"object", key.object.text()},
                                                 {"resource", resource_of(key.kind).text()},
                                                 {"error", status.error().message}});
    }
    reconciler_.finish(key, status);
  }));
}

std::optional<json::Value> ClusterSetsController::wanted(const Key& key,
                                                         const json::Value* object) const {
  if (key.kind == Watched::Sets) return wanted_set(key.object.name, object);
  if (!object || api::read_facts(*object).is_deleting) return std::nullopt;
  if (key.kind == Watched::Clusters) return complete_managed_cluster(*object, env_.clock.now());
  const bool exists = fleet_.sets().find(key.object.name) != nullptr;
  return patched(*object, binding_status_patch(*object, exists ? SetExists::Yes : SetExists::No,
                                               env_.clock.now()));
}

std::optional<json::Value> ClusterSetsController::wanted_set(const std::string& name,
                                                             const json::Value* object) const {
  if (!object && !is_standard_set(name)) return std::nullopt;
  const json::Value standard = name == kDefaultSet ? default_cluster_set() : global_cluster_set();
  if (!object) return standard;
  if (api::read_facts(*object).is_deleting) return std::nullopt;
  json::Value set = *object;
  if (is_standard_set(name)) set = patched(set, restore_selector(set, standard));
  const ClusterSet* known = fleet_.sets().find(name);
  if (!known || known->problem()) return set;  // Nobody can tell its members.
  return patched(set, set_status_patch(set, known->members().count(), env_.clock.now()));
}

}  // namespace berth::placement
