// The simplest true API server's memory: every change ever, in order. What tests compare caches
// with.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/watch_decoder.h"
#include "json/value.h"

namespace berth::client::testing {

class ModelStore {
 public:
  struct LoggedChange {
    std::int64_t revision;
    WatchEvent event;
  };
  using State = std::map<std::string, json::Value>;  // By name, or namespace/name.

  ModelStore() = default;

  // The uids of its objects begin with that: for stores whose objects refer to each other.
  explicit ModelStore(std::string uid_prefix) : uid_prefix_(std::move(uid_prefix)) {}

  // Creates or changes the object of that name; erases it. Both answer with the new revision, or
  // the current one if there was nothing to erase.
  std::int64_t put(const std::string& name);
  std::int64_t erase(const std::string& name);

  // The same with the object itself, which gets a uid if it is new, and its version.
  std::int64_t put(const std::string& name, json::Value object);

  // Forgets what happened up to that revision: a watch can no longer start before it.
  void compact(std::int64_t revision);

  // The server is restored from a backup of that revision.
  void restore(std::int64_t revision);

  std::int64_t revision() const { return revision_; }
  std::int64_t compacted() const { return compacted_; }
  const State& state() const { return state_; }

  // The first change after the revision, which must not be compacted; nullptr when there is none.
  const LoggedChange* after(std::int64_t revision) const;

 private:
  json::Value body_of(const std::string& name) const;

  std::int64_t revision_ = 100;
  std::int64_t compacted_ = 100;
  std::int64_t uids_ = 0;
  std::string uid_prefix_ = "uid-";
  State state_;
  std::vector<LoggedChange> changes_;                    // changes_[i] made revision 101 + i.
  std::map<std::int64_t, State> backups_ = {{100, {}}};  // One per revision; tests are small.
};

// {"apiVersion":"v1","kind":"ConfigMap","metadata":{"resourceVersion":"7"}}, and with the
// annotation that ends initial events.
json::Value bookmark_at(std::int64_t revision);
json::Value initial_events_end_at(std::int64_t revision);

// A Status: 410 Expired, 504 with the cause ResourceVersionTooLarge.
json::Value expired_status();
json::Value too_large_status();

}  // namespace berth::client::testing
