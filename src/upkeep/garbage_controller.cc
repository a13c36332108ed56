#include "upkeep/garbage_controller.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"

namespace berth::upkeep {
namespace {

constexpr std::size_t kInWorkMax = 32;
constexpr std::size_t kAbsentMax = 10'000;

// One collection that cannot be read must not stop the rest for ever.
constexpr Duration kPatience = std::chrono::seconds(30);

bool is_followed(const client::ResourceInfo& info) {
  if (info.gvr.resource == "events") return false;  // Many, short-lived, and nobody's owner.
  return info.allows("list") && info.allows("watch") && info.allows("delete");
}

client::Propagation propagation_of(Cascade cascade) {
  switch (cascade) {
    case Cascade::Background:
      return client::Propagation::Background;
    case Cascade::Foreground:
      return client::Propagation::Foreground;
    case Cascade::Orphan:
      return client::Propagation::Orphan;
  }
  return client::Propagation::ServerDefault;
}

std::span<const json::Value> references_of(const json::Value& object) {
  return api::elements_field(api::field(object, "metadata"), "ownerReferences");
}

// Only this very object is: a server that does not serve its kind, perhaps not yet, says so in
// other words.
bool is_gone(const Error& error, const std::string& name) {
  return client::is_not_found(error) && error.message.contains("\"" + name + "\" not found");
}

std::string absent_key(std::string_view ns, const json::Value& reference) {
  return std::string(ns) + "/" + api::text_field(reference, "uid");
}

}  // namespace

GarbageController::GarbageController(const env::Env& env, client::Api& api, ObjectFeed& feed,
                                     Served& served, const control::MayWrite& may_write)
    : env_(env),
      api_(api),
      feed_(feed),
      served_(served),
      may_write_(may_write),
      committer_(env.loop, api, may_write, {.field_manager = "berth-garbage"}),
      reconciler_(env, "garbage", kInWorkMax, [this](const ObjectId& id) { work(id); }),
      deleted_(env.metrics.counter({.name = "berth_garbage_deleted_total",
                                    .help = "Objects deleted because no owner was left.",
                                    .labels = {}})) {
  served_.on_looked(scope_.guard([this] { on_served(); }));
}

void GarbageController::on_served() {
  std::set<client::Gvr> wanted;
  bool changed = false;
  for (const client::ResourceInfo& info : served_.resources()) {
    if (!is_followed(info)) continue;
    wanted.insert(info.gvr);
    if (collections_.contains(info.gvr)) continue;
    follow(info);
    changed = true;
  }
  for (auto it = collections_.begin(); it != collections_.end();) {
    if (wanted.contains(it->first)) {
      ++it;
      continue;
    }
    enqueue(graph_.unfollow(it->second.id));
    it = collections_.erase(it);
    changed = true;
  }
  if (changed) enqueue(std::exchange(undecided_, {}));
  start_when_settled();
}

void GarbageController::follow(const client::ResourceInfo& info) {
  const auto id = static_cast<ResourceId>(infos_.size());
  infos_.push_back(info);
  graph_.follow(id, info.gvr.group, info.kind);
  FeedListener listener{
      .on_state =
          [this, id](const std::vector<const json::Value*>& objects) {
            enqueue(graph_.replace(id, objects));
            start_when_settled();
          },
      .on_put = [this, id](const json::Value& object) { enqueue(graph_.put(id, object)); },
      .on_removed = [this, id](const json::Value& object) { enqueue(graph_.remove(id, object)); }};
  collections_[info.gvr] = {.id = id,
                            .since = env_.clock.monotonic(),
                            .followed = feed_.follow(info, std::move(listener))};
}

void GarbageController::enqueue(const OwnerGraph::Affected& affected) {
  for (const ObjectId& id : affected) reconciler_.add(id);
}

void GarbageController::start_when_settled() {
  if (started_) return;
  if (is_settled()) {
    started_ = true;
    return reconciler_.start();
  }
  patience_ = env::after(env_.loop, env_.clock, kPatience, [this] { start_when_settled(); });
}

bool GarbageController::is_settled() const {
  const Instant now = env_.clock.monotonic();
  return served_.has_looked() && std::ranges::all_of(collections_, [now](const auto& entry) {
           return entry.second.followed->has_synced() || now - entry.second.since >= kPatience;
         });
}

void GarbageController::work(const ObjectId& id) {
  if (!graph_.needs_look(id)) return reconciler_.finish(id);
  api_.get(path_of(id),
           scope_.guard([this, id](Result<json::Value> live) { begin(id, std::move(live)); }));
}

void GarbageController::begin(const ObjectId& id, Result<json::Value> live) {
  if (!live.ok()) {
    // Gone already, and its end is on the way to us; or its whole kind is.
    if (client::is_not_found(live.error())) return reconciler_.finish(id);
    return finish(id, failure(live.error()));
  }
  const auto look = std::make_shared<Look>(Look{.id = id, .object = *std::move(live)});
  const api::Metadata metadata(look->object);
  if (!metadata.is_being_deleted()) return look_on(look);
  if (!is_settled()) {  // Some dependent may not have been read yet.
    reconciler_.add_after(id, std::chrono::seconds(1));
    return reconciler_.finish(id);
  }
  if (metadata.has_finalizer(kOrphanFinalizer)) {
    return orphan(look, graph_.dependents_of(id.resource, look->object));
  }
  if (metadata.has_finalizer(kForegroundFinalizer)) return end_foreground(look);
  reconciler_.finish(id);
}

// Finds out about one owner after the other.
void GarbageController::look_on(const LookPtr& look) {
  const std::span<const json::Value> references = references_of(look->object);
  while (look->owners.size() < references.size()) {
    const json::Value& reference = references[look->owners.size()];
    const OwnerState state = known_state(*look, reference);
    const client::ResourceInfo* kind = find_kind(reference);
    if (state == OwnerState::Awaiting) return ask(look, reference, *kind);
    look->owners.push_back(state);
  }
  conclude(look);
}

// What can be told without asking; Awaiting: nothing, the hub has to be asked.
OwnerState GarbageController::known_state(const Look& look, const json::Value& reference) {
  if (graph_.is_solid(reference, look.id.key.ns)) return OwnerState::Solid;
  const client::ResourceInfo* kind = find_kind(reference);
  if (kind && kind->namespaced && look.id.key.ns.empty()) {
    env_.log.warn("garbage.owner_in_a_namespace",
                  {{"object", text_of(look.id)}, {"owner", api::text_field(reference, "name")}});
    return OwnerState::Unknown;
  }
  if (!kind || !kind->allows("get")) {
    undecided_.insert(look.id);
    return OwnerState::Unknown;
  }
  const std::string& ns = kind->namespaced ? look.id.key.ns : std::string();
  return absent_.contains(absent_key(ns, reference)) ? OwnerState::Absent : OwnerState::Awaiting;
}

void GarbageController::ask(const LookPtr& look, const json::Value& reference,
                            const client::ResourceInfo& info) {
  const client::ResourcePath path{.resource = info.gvr,
                                  .ns = info.namespaced ? look->id.key.ns : "",
                                  .name = api::text_field(reference, "name")};
  const std::string uid = api::text_field(reference, "uid");
  const std::string key = absent_key(path.ns, reference);
  api_.get(path,
           scope_.guard([this, look, uid, key, name = path.name](const Result<json::Value>& live) {
             if (!live.ok() && !is_gone(live.error(), name)) {
               return finish(look->id, failure(live.error()));
             }
             OwnerState state = OwnerState::Absent;
             if (live.ok() && api::Metadata(*live).uid() == uid) {
               const api::Metadata metadata(*live);
               const bool awaits =
                   metadata.is_being_deleted() && metadata.has_finalizer(kForegroundFinalizer);
               state = awaits ? OwnerState::Awaiting : OwnerState::Solid;
             } else {
               if (absent_.size() >= kAbsentMax) absent_.clear();
               absent_.insert(key);
             }
             look->owners.push_back(state);
             look_on(look);
           }));
}

void GarbageController::conclude(const LookPtr& look) {
  Below below = Below::Nothing;
  for (const Dependent& one : graph_.dependents_of(look->id.resource, look->object)) {
    if (below == Below::Nothing) below = Below::Dependents;
    if (graph_.awaits_dependents(one.id)) below = Below::DependentsThatAwait;
  }
  Verdict verdict = judge(look->object, look->owners, below);
  if (verdict.after) return write(look->id, look->object, *std::move(verdict.after));
  if (verdict.deletion) return remove(look, *verdict.deletion);
  reconciler_.finish(look->id);
}

void GarbageController::remove(const LookPtr& look, Cascade cascade) {
  if (!may_write_()) {
    return reconciler_.finish(look->id, failure(Code::Forbidden, "no longer the leader"));
  }
  const api::Metadata metadata(look->object);
  api_.remove(path_of(look->id),
              {.propagation = propagation_of(cascade),
               .uid = std::string(metadata.uid()),
               .resource_version = std::string(metadata.resource_version())},
              scope_.guard([this, look](const Result<json::Value>& answer) {
                if (!answer.ok() && !client::is_not_found(answer.error())) {
                  return finish(look->id, failure(answer.error()));
                }
                deleted_.increment();
                env_.log.debug("garbage.deleted", {{"object", text_of(look->id)}});
                reconciler_.finish(look->id);
              }));
}

// The owner goes when nobody is left who blocks it; whoever does is looked at.
void GarbageController::end_foreground(const LookPtr& look) {
  const std::vector<Dependent> dependents = graph_.dependents_of(look->id.resource, look->object);
  if (std::ranges::none_of(dependents, &Dependent::blocks_owner)) {
    return write(look->id, look->object, without_finalizer(look->object, kForegroundFinalizer));
  }
  for (const Dependent& dependent : dependents) {
    if (!graph_.awaits_dependents(dependent.id)) reconciler_.add(dependent.id);
  }
  reconciler_.finish(look->id);
}

// One dependent after the other lets go of the owner; then the owner may go.
void GarbageController::orphan(const LookPtr& look, std::vector<Dependent> dependents) {
  if (dependents.empty()) {
    return write(look->id, look->object, without_finalizer(look->object, kOrphanFinalizer));
  }
  const Dependent dependent = std::move(dependents.back());
  dependents.pop_back();
  release(look, dependent,
          [this, look, rest = std::move(dependents)]() mutable { orphan(look, std::move(rest)); });
}

void GarbageController::release(const LookPtr& look, const Dependent& dependent, env::Task next) {
  const client::Gvr resource = infos_[dependent.id.resource].gvr;
  api_.get(path_of(dependent.id),
           scope_.guard([this, look, resource, uid = dependent.uid,
                         next = std::move(next)](Result<json::Value> live) mutable {
             const bool gone =
                 live.ok() ? api::Metadata(*live).uid() != uid : client::is_not_found(live.error());
             if (gone) return next();
             if (!live.ok()) return finish(look->id, failure(live.error()));
             json::Value after = without_owner(*live, api::Metadata(look->object).uid());
             control::Change change{
                 .resource = resource, .before = *std::move(live), .after = std::move(after)};
             committer_.submit(
                 std::move(change),
                 scope_.guard([this, look, next = std::move(next)](const Status& status) mutable {
                   if (!status.ok() && !client::is_not_found(status.error())) {
                     return finish(look->id, status);
                   }
                   next();
                 }));
           }));
}

void GarbageController::write(const ObjectId& id, const json::Value& before, json::Value after) {
  control::Change change{
      .resource = infos_[id.resource].gvr, .before = before, .after = std::move(after)};
  committer_.submit(std::move(change), scope_.guard([this, id](const Status& status) {
    const bool gone = !status.ok() && client::is_not_found(status.error());
    finish(id, gone ? Status() : status);
  }));
}

void GarbageController::finish(const ObjectId& id, const Status& status) {
  if (!status.ok() && !client::is_stale_write(status.error())) {
    env_.log.warn("garbage.failed", {{"object", text_of(id)}, {"error", status.error().message}});
  }
  reconciler_.finish(id, status);
}

// In the version that is served: a reference may name one of the past.
const client::ResourceInfo* GarbageController::find_kind(const json::Value& reference) const {
  const auto version = api::parse_group_version(api::text_field(reference, "apiVersion"));
  if (!version.ok()) return nullptr;
  const std::string kind = api::text_field(reference, "kind");
  const auto found =
      std::ranges::find_if(served_.resources(), [&](const client::ResourceInfo& info) {
        return info.gvr.group == version->group && info.kind == kind;
      });
  return found == served_.resources().end() ? nullptr : &*found;
}

client::ResourcePath GarbageController::path_of(const ObjectId& id) const {
  return {.resource = infos_[id.resource].gvr, .ns = id.key.ns, .name = id.key.name};
}

std::string GarbageController::text_of(const ObjectId& id) const {
  return infos_[id.resource].gvr.text() + " " + id.key.text();
}

}  // namespace berth::upkeep
