#include "upkeep/owner_graph.h"

#include <utility>

#include "api/group_version.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/hash.h"

namespace berth::upkeep {
namespace {

constexpr std::uint64_t kSecondStart = 0x9e3779b97f4a7c15;

std::uint64_t finish(std::uint64_t hash) {
  hash ^= hash >> 32;
  hash *= 0xd6e8feb86659fd93;
  return hash ^ (hash >> 32);
}

}  // namespace

OwnerGraph::Fingerprint OwnerGraph::print_of(const Kind& kind, std::string_view name,
                                             std::string_view uid) {
  Fingerprint print = {kHashStart, kSecondStart};
  for (const std::string_view part :
       {std::string_view(kind.group), std::string_view(kind.kind), name, uid}) {
    for (std::uint64_t& half : print) half = hash64("\n", hash64(part, half));
  }
  return print;
}

OwnerGraph::Fingerprint OwnerGraph::within(Fingerprint anywhere, std::string_view ns) {
  for (std::uint64_t& half : anywhere) half = finish(hash64(ns, half));
  return anywhere;
}

OwnerGraph::Owner OwnerGraph::owner_of(const json::Value& reference) {
  const auto owner = api::OwnerReference::from_json(reference);
  const auto version = api::parse_group_version(owner.api_version);
  const Kind kind{.group = version.ok() ? version->group : owner.api_version, .kind = owner.kind};
  return {.anywhere = print_of(kind, owner.name, owner.uid), .blocks = owner.blocks_owner_deletion};
}

OwnerGraph::Tracked OwnerGraph::read(ResourceId resource, const json::Value& object) const {
  const api::Metadata metadata(object);
  Tracked tracked{.uid = std::string(metadata.uid()),
                  .self = print_of(kinds_.at(resource), metadata.name(), metadata.uid())};
  for (const json::Value& reference :
       api::elements_field(api::field(object, "metadata"), "ownerReferences")) {
    tracked.owners.push_back(owner_of(reference));
  }
  tracked.awaits_dependents =
      metadata.is_being_deleted() && metadata.has_finalizer(kForegroundFinalizer);
  tracked.orphans = metadata.is_being_deleted() && metadata.has_finalizer(kOrphanFinalizer);
  return tracked;
}

void OwnerGraph::follow(ResourceId resource, std::string group, std::string kind) {
  kinds_[resource] = {.group = std::move(group), .kind = std::move(kind)};
}

OwnerGraph::Affected OwnerGraph::unfollow(ResourceId resource) {
  Affected affected = replace(resource, {});
  kinds_.erase(resource);
  return affected;
}

OwnerGraph::Affected OwnerGraph::put(ResourceId resource, const json::Value& object) {
  Affected affected;
  const api::Metadata metadata(object);
  const ObjectId id{.resource = resource, .key = metadata.key()};
  Tracked now = read(resource, object);
  present_[within(now.self, id.key.ns)] = resource;
  bool awaited = false;
  if (const auto before = tracked_.find(id); before != tracked_.end()) {
    awaited = before->second.awaits_dependents && before->second.uid == now.uid;
    add_waiting_owners(id, before->second, affected);
    unlink(id, before->second);
    tracked_.erase(before);
  }
  if (now.owners.empty() && !now.awaits_dependents && !now.orphans) return affected;
  link(id, now);
  if (needs_look(id, now)) affected.insert(id);
  if (now.awaits_dependents && !awaited) add_dependents(now.self, id.key.ns, affected);
  add_waiting_owners(id, now, affected);
  tracked_.emplace(id, std::move(now));
  return affected;
}

OwnerGraph::Affected OwnerGraph::remove(ResourceId resource, const json::Value& object) {
  Affected affected;
  const api::Metadata metadata(object);
  const ObjectId id{.resource = resource, .key = metadata.key()};
  const Fingerprint self = print_of(kinds_.at(resource), metadata.name(), metadata.uid());
  present_.erase(within(self, id.key.ns));
  const auto tracked = tracked_.find(id);
  if (tracked != tracked_.end() && tracked->second.uid == metadata.uid()) forget(id, affected);
  add_dependents(self, id.key.ns, affected);
  return affected;
}

OwnerGraph::Affected OwnerGraph::replace(ResourceId resource,
                                         const std::vector<const json::Value*>& objects) {
  Affected affected;
  std::set<api::ObjectKey> kept;
  boost::unordered_flat_set<Fingerprint, FingerprintHash> prints;
  prints.reserve(objects.size());
  for (const json::Value* object : objects) {
    const api::Metadata metadata(*object);
    kept.insert(metadata.key());
    prints.insert(within(print_of(kinds_.at(resource), metadata.name(), metadata.uid()),
                         metadata.namespace_name()));
  }
  // Whoever has a reference to something that is gone finds out by asking for it again.
  for (const auto& [owner, dependents] : dependents_) {
    for (const ObjectId& id : dependents) {
      for (const Fingerprint& print : {within(owner, id.key.ns), within(owner, "")}) {
        const auto known = present_.find(print);
        const bool gone =
            known != present_.end() && known->second == resource && !prints.contains(print);
        if (gone) affected.insert(id);
      }
    }
  }
  boost::unordered::erase_if(present_, [&](const auto& entry) {
    return entry.second == resource && !prints.contains(entry.first);
  });
  std::vector<ObjectId> gone;
  for (auto it = tracked_.lower_bound({.resource = resource}); it != tracked_.end(); ++it) {
    if (it->first.resource != resource) break;
    if (!kept.contains(it->first.key)) gone.push_back(it->first);
  }
  for (const ObjectId& id : gone) forget(id, affected);
  for (const json::Value* object : objects) affected.merge(put(resource, *object));
  return affected;
}

bool OwnerGraph::needs_look(const ObjectId& id) const {
  const auto tracked = tracked_.find(id);
  return tracked != tracked_.end() && needs_look(id, tracked->second);
}

bool OwnerGraph::needs_look(const ObjectId& id, const Tracked& tracked) const {
  if (tracked.awaits_dependents || tracked.orphans) return true;
  for (const Owner& owner : tracked.owners) {
    if (!is_present(owner.anywhere, id.key.ns) || find_waiting(owner.anywhere, id.key.ns)) {
      return true;
    }
  }
  return false;
}

std::vector<Dependent> OwnerGraph::dependents_of(ResourceId resource,
                                                 const json::Value& object) const {
  std::vector<Dependent> found;
  const api::Metadata metadata(object);
  const auto kind = kinds_.find(resource);
  if (kind == kinds_.end()) return found;
  const Fingerprint self = print_of(kind->second, metadata.name(), metadata.uid());
  Affected ids;
  add_dependents(self, metadata.namespace_name(), ids);
  for (const ObjectId& id : ids) {
    const Tracked& tracked = tracked_.at(id);
    Dependent dependent{.id = id, .uid = tracked.uid};
    for (const Owner& owner : tracked.owners) {
      if (owner.anywhere == self) dependent.blocks_owner |= owner.blocks;
    }
    found.push_back(std::move(dependent));
  }
  return found;
}

bool OwnerGraph::awaits_dependents(const ObjectId& id) const {
  const auto tracked = tracked_.find(id);
  return tracked != tracked_.end() && tracked->second.awaits_dependents;
}

bool OwnerGraph::is_solid(const json::Value& reference, std::string_view ns) const {
  const Owner owner = owner_of(reference);
  return is_present(owner.anywhere, ns) && !find_waiting(owner.anywhere, ns);
}

void OwnerGraph::link(const ObjectId& id, const Tracked& tracked) {
  for (const Owner& owner : tracked.owners) dependents_[owner.anywhere].insert(id);
  if (tracked.awaits_dependents) waiting_[within(tracked.self, id.key.ns)] = id;
}

void OwnerGraph::unlink(const ObjectId& id, const Tracked& tracked) {
  for (const Owner& owner : tracked.owners) {
    const auto dependents = dependents_.find(owner.anywhere);
    if (dependents == dependents_.end()) continue;  // The same owner is named twice.
    dependents->second.erase(id);
    if (dependents->second.empty()) dependents_.erase(dependents);
  }
  if (tracked.awaits_dependents) waiting_.erase(within(tracked.self, id.key.ns));
}

void OwnerGraph::forget(const ObjectId& id, Affected& affected) {
  const auto tracked = tracked_.find(id);
  add_waiting_owners(id, tracked->second, affected);
  unlink(id, tracked->second);
  tracked_.erase(tracked);
}

void OwnerGraph::add_waiting_owners(const ObjectId& id, const Tracked& tracked,
                                    Affected& affected) const {
  for (const Owner& owner : tracked.owners) {
    if (const ObjectId* waiting = find_waiting(owner.anywhere, id.key.ns)) {
      affected.insert(*waiting);
    }
  }
}

// An owner in a namespace owns only inside it; one without, everywhere.
void OwnerGraph::add_dependents(Fingerprint anywhere, std::string_view ns,
                                Affected& affected) const {
  const auto found = dependents_.find(anywhere);
  if (found == dependents_.end()) return;
  for (const ObjectId& id : found->second) {
    if (ns.empty() || id.key.ns == ns) affected.insert(id);
  }
}

bool OwnerGraph::is_present(Fingerprint anywhere, std::string_view ns) const {
  return present_.contains(within(anywhere, ns)) || present_.contains(within(anywhere, ""));
}

const ObjectId* OwnerGraph::find_waiting(Fingerprint anywhere, std::string_view ns) const {
  auto found = waiting_.find(within(anywhere, ns));
  if (found == waiting_.end()) found = waiting_.find(within(anywhere, ""));
  return found == waiting_.end() ? nullptr : &found->second;
}

}  // namespace berth::upkeep
