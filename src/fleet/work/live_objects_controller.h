// Notices when applied objects change: one watch for each kind of them, of which only versions are
// kept, and only those of the objects that somebody watches.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/object_key.h"
#include "client/api_service.h"
#include "client/follower_service.h"
#include "env/env.h"

namespace berth::fleet {

struct LiveObject {
  client::Gvr resource;
  api::ObjectKey key;

  auto operator<=>(const LiveObject&) const = default;
};

class LiveObjects {
 public:
  // Told on the loop who watches an object that is no longer as he saw it.
  using Changed = std::function<void(const std::string& watcher)>;

  // The Api outlives this.
  LiveObjects(const env::Env& env, client::Api& api, Changed changed)
      : env_(env), api_(api), changed_(std::move(changed)) {}

  // From now on the watcher wants to hear of these, and of no others.
  void watch(const std::string& watcher, const std::set<LiveObject>& objects);

  // The watcher has read or written the object in that version; "": there is none. If the watch
  // knows better by now, the watcher is told.
  void saw(const std::string& watcher, const LiveObject& object, std::string version);

  // Whether the watcher has read the object as it is now, as far as can be told.
  bool is_as_seen(const std::string& watcher, const LiveObject& object) const;

  // Whether changes of the object will be noticed; false while its kind cannot be watched.
  bool is_followed(const LiveObject& object) const;

  std::size_t kinds() const { return kinds_.size(); }

 private:
  struct Entry {
    std::optional<std::string> now = std::nullopt;  // "": there is none; nullopt: not known.
    std::string gone_at = {};  // The version of the removal, if there is none; "": not known.
    std::map<std::string, std::optional<std::string>> seen = {};  // By watcher.
  };
  struct Kind {
    std::map<api::ObjectKey, Entry> entries = {};
    std::unique_ptr<client::Follower> follower = nullptr;
  };

  void add(const std::string& watcher, const LiveObject& object);
  void remove(const std::string& watcher, const LiveObject& object);
  void on_state(Kind& kind, const std::vector<client::ObjectPtr>& objects);
  void on_version(Kind& kind, const api::ObjectKey& key, std::string version);
  void on_gone(Kind& kind, const api::ObjectKey& key, std::string at);
  void tell_others(const Entry& entry, const std::string& at);
  static bool is_newer(const std::string& version, const Entry& entry);
  const Entry* find(const LiveObject& object) const;
  std::unique_ptr<client::Follower> follow(const client::Gvr& resource, Kind& kind);

  env::Env env_;
  client::Api& api_;
  Changed changed_;
  std::map<std::string, std::set<LiveObject>> watched_;  // By watcher.
  std::map<client::Gvr, std::unique_ptr<Kind>> kinds_;
};

}  // namespace berth::fleet
