#include "fleet/work/live_objects_controller.h"

#include <utility>

#include "client/resource_version.h"

namespace berth::fleet {

void LiveObjects::watch(const std::string& watcher, const std::set<LiveObject>& objects) {
  std::set<LiveObject>& watched = watched_[watcher];
  for (const LiveObject& object : objects) {
    if (!watched.contains(object)) add(watcher, object);
  }
  for (const LiveObject& object : watched) {
    if (!objects.contains(object)) remove(watcher, object);
  }
  if (objects.empty()) {
    watched_.erase(watcher);
  } else {
    watched = objects;
  }
}

void LiveObjects::add(const std::string& watcher, const LiveObject& object) {
  std::unique_ptr<Kind>& kind = kinds_[object.resource];
  if (!kind) kind = std::make_unique<Kind>();
  kind->entries[object.key].seen.try_emplace(watcher);
  if (!kind->follower) kind->follower = follow(object.resource, *kind);
}

void LiveObjects::remove(const std::string& watcher, const LiveObject& object) {
  const auto kind = kinds_.find(object.resource);
  if (kind == kinds_.end()) return;
  auto& entries = kind->second->entries;
  if (const auto entry = entries.find(object.key); entry != entries.end()) {
    entry->second.seen.erase(watcher);
    if (entry->second.seen.empty()) entries.erase(entry);
  }
  if (entries.empty()) kinds_.erase(kind);
}

std::unique_ptr<client::Follower> LiveObjects::follow(const client::Gvr& resource, Kind& kind) {
  client::FollowerListener listener{
      .on_state = [this, &kind](const auto& objects) { on_state(kind, objects); },
      .on_put =
          [this, &kind](const client::Object& object) {
            on_version(kind, object.key(), std::string(object.resource_version()));
          },
      .on_removed =
          [this, &kind](const client::Object& object) {
            on_gone(kind, object.key(), std::string(object.resource_version()));
          }};
  return std::make_unique<client::Follower>(
      env_, api_, client::FollowerSpec{.collection = {.resource = resource}}, std::move(listener));
}

void LiveObjects::on_state(Kind& kind, const std::vector<client::ObjectPtr>& objects) {
  std::map<api::ObjectKey, std::string> versions;
  for (const client::ObjectPtr& object : objects) {
    if (kind.entries.contains(object->key())) {
      versions[object->key()] = std::string(object->resource_version());
    }
  }
  for (const auto& [key, entry] : kind.entries) {
    const auto there = versions.find(key);
    there == versions.end() ? on_gone(kind, key, "") : on_version(kind, key, there->second);
  }
}

void LiveObjects::on_version(Kind& kind, const api::ObjectKey& key, std::string version) {
  const auto found = kind.entries.find(key);
  if (found == kind.entries.end()) return;
  found->second.now = version;
  tell_others(found->second, version);
}

void LiveObjects::on_gone(Kind& kind, const api::ObjectKey& key, std::string at) {
  const auto found = kind.entries.find(key);
  if (found == kind.entries.end()) return;
  found->second.now = "";
  found->second.gone_at = at;
  tell_others(found->second, at);
}

// Those who have seen something else, unless what they read or wrote meanwhile is newer than what
// the watch brings now.
void LiveObjects::tell_others(const Entry& entry, const std::string& at) {
  for (const auto& [watcher, seen] : entry.seen) {
    if (seen && *seen == *entry.now) continue;
    const bool is_late = seen && !seen->empty() && client::is_older(at, *seen);
    if (!is_late) changed_(watcher);
  }
}

// An answer may come after the watch has brought a later change; the object may even be gone by
// then. When that cannot be told, the watch is believed: what is true it will bring.
bool LiveObjects::is_newer(const std::string& version, const Entry& entry) {
  if (!entry.now || *entry.now == version) return true;
  if (version.empty()) return false;
  if (!entry.now->empty()) return !client::is_older(version, *entry.now);
  return !entry.gone_at.empty() && client::is_older(entry.gone_at, version);
}

void LiveObjects::saw(const std::string& watcher, const LiveObject& object, std::string version) {
  const auto kind = kinds_.find(object.resource);
  if (kind == kinds_.end()) return;
  const auto found = kind->second->entries.find(object.key);
  if (found == kind->second->entries.end()) return;
  Entry& entry = found->second;
  const auto seen = entry.seen.find(watcher);
  if (seen == entry.seen.end()) return;
  const bool is_news = seen->second != version;
  seen->second = version;
  if (!kind->second->follower->has_synced()) return;
  if (is_newer(version, entry)) {
    entry.now = std::move(version);
  } else if (is_news) {
    changed_(watcher);
  }
}

const LiveObjects::Entry* LiveObjects::find(const LiveObject& object) const {
  const auto kind = kinds_.find(object.resource);
  if (kind == kinds_.end()) return nullptr;
  const auto entry = kind->second->entries.find(object.key);
  return entry == kind->second->entries.end() ? nullptr : &entry->second;
}

bool LiveObjects::is_as_seen(const std::string& watcher, const LiveObject& object) const {
  const Entry* entry = find(object);
  if (!entry || !entry->now || !is_followed(object)) return false;
  const auto seen = entry->seen.find(watcher);
  return seen != entry->seen.end() && seen->second == entry->now;
}

bool LiveObjects::is_followed(const LiveObject& object) const {
  const auto kind = kinds_.find(object.resource);
  return kind != kinds_.end() && kind->second->follower->has_synced();
}

}  // namespace berth::fleet
