// ObjectFeed: from whom garbage collection hears of all objects of a kind. Nothing is kept of them
// here.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "client/discovery.h"
#include "json/value.h"

namespace berth::upkeep {

// Called on the loop, later than follow().
struct FeedListener {
  // All objects that there are: at first, and whenever it is not known what changed since.
  std::function<void(const std::vector<const json::Value*>&)> on_state;
  std::function<void(const json::Value&)> on_put;
  std::function<void(const json::Value&)> on_removed;  // As it was last.
};

// A kind that is followed for as long as this lives.
class FollowedKind {
 public:
  virtual ~FollowedKind() = default;

  virtual bool has_synced() const = 0;  // The listener has heard the first state.
};

// Owners, finalizers and what names an object must be in what is told of it; the rest may be.
class ObjectFeed {
 public:
  virtual ~ObjectFeed() = default;

  virtual std::unique_ptr<FollowedKind> follow(const client::ResourceInfo& kind,
                                               FeedListener listener) = 0;
};

}  // namespace berth::upkeep
