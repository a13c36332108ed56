// The caches that one controller follows together: what changed where, and when all of it is known.

#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "client/informers_service.h"
#include "env/loop.h"
#include "env/scope.h"

namespace berth::control {

// `Kind` is the controller's own name for a resource.
template <typename Kind>
class Followed {
 public:
  // Where to look. What a handler hears only tells that much: the cache may know more by then.
  using Changed = std::function<void(Kind, const client::ObjectKey&)>;

  // Both are called on the loop, `synced` once, when everything there was has been told. The
  // informers outlive this.
  Followed(client::Informers& informers, std::span<const std::pair<Kind, client::Gvr>> kinds,
           Changed changed, env::Task synced)
      : changed_(std::move(changed)), synced_(std::move(synced)) {
    for (const auto& [kind, resource] : kinds) caches_[kind].informer = &informers.of(resource);
    for (auto& [kind, cache] : caches_) follow(kind, cache);
  }

  ~Followed() {
    for (const auto& [kind, cache] : caches_) cache.informer->remove_handler(cache.handler);
  }

  Followed(const Followed&) = delete;
  Followed& operator=(const Followed&) = delete;

  client::InformerService& informer(Kind kind) const { return *caches_.at(kind).informer; }
  const client::Store& store(Kind kind) const { return informer(kind).store(); }
  bool has_synced() const { return has_synced_; }

 private:
  struct Cache {
    client::InformerService* informer = nullptr;
    client::HandlerId handler = 0;
  };

  void follow(Kind kind, Cache& cache) {
    cache.handler =
        cache.informer->add_handler(scope_.guard([this, kind](const client::Delta& delta) {
          changed_(kind, delta.object().key());
          check_synced();
        }));
    cache.informer->when_synced(scope_.guard([this] { check_synced(); }));
  }

  void check_synced() {
    if (has_synced_) return;
    has_synced_ = std::ranges::all_of(caches_, [](const auto& entry) {
      return entry.second.informer->has_synced(entry.second.handler);
    });
    if (has_synced_) synced_();
  }

  Changed changed_;
  env::Task synced_;
  std::map<Kind, Cache> caches_;
  bool has_synced_ = false;
  env::Scope scope_;
};

}  // namespace berth::control
