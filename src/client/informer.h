// A cache of one collection that tells what changed: the reflector's decisions applied to a store.
// Pure, like both: the owner does the I/O and hands the deltas to whoever wants them.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "client/reflector.h"
#include "client/store.h"

namespace berth::client {

// One change of the cache, in the order in which it happened.
struct Delta {
  enum class Type : std::uint8_t { Added, Updated, Deleted };

  Type type;
  ObjectPtr before = nullptr;  // Updated and Deleted.
  ObjectPtr after = nullptr;   // Added and Updated.
  bool in_initial_list = false;

  // Deleted, but nobody saw it happen: `before` is the last state we know, not the last it had.
  bool final_state_unknown = false;

  const Object& object() const { return after ? *after : *before; }
};

struct InformerReaction {
  std::vector<Delta> deltas = {};
  std::optional<Step> next = std::nullopt;  // As in Reaction.
  std::vector<Incident> incidents = {};
};

class Informer {
 public:
  Informer(const ReflectorOptions& options, std::vector<Index> indexes, Random random);

  InformerReaction start(Instant now) { return apply(reflector_.start(now)); }
  InformerReaction on_page(ListPage page, Instant now);
  InformerReaction on_list_failed(const Error& error, Instant now);
  InformerReaction on_watch_opened(Instant now) { return apply(reflector_.on_watch_opened(now)); }
  InformerReaction on_event(StreamEvent event, Instant now);
  InformerReaction on_watch_closed(const Status& why, Instant now);
  InformerReaction on_time(Instant now) { return apply(reflector_.on_time(now)); }

  const Store& store() const { return store_; }
  const Reflector& reflector() const { return reflector_; }

  // Whether the store has held a complete state. Before that an absent object means nothing.
  bool has_synced() const { return synced_; }

  // Whether the store shows the effect of a write that was answered with this version: false also
  // when that cannot be told.
  bool has_reached(std::string_view resource_version) const;

  // Everything there is, as additions: what a handler that comes later is told first.
  std::vector<Delta> replay() const;

 private:
  InformerReaction apply(Reaction reaction);
  void replace(const Replace& change, std::vector<Delta>& deltas);
  void put(const ObjectPtr& object, std::vector<Delta>& deltas);

  Reflector reflector_;
  Store store_;
  bool synced_ = false;
};

}  // namespace berth::client
