// Store: one order of writes, durable before anybody hears of them, and snapshots for all readers.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "env/loop.h"
#include "store/entry.h"
#include "store/snapshot.h"

namespace berth::store {

// Lives on one loop, the store's own. write(), snapshot() and follow() may be called from any loop.
class Store {
 public:
  // Called on the loop that the writer named. Codes of errors: Conflict (`expected` does not hold:
  // look at a new snapshot), NotFound (there is nothing to delete), TooManyRequests (too many
  // writes wait; it says when to come again), ServiceUnavailable (the disk is full: nothing was
  // written, reading goes on), InternalError (the store has failed and stops; whether this write
  // happened is not known).
  using Done = std::move_only_function<void(Result<Written>)>;

  virtual ~Store() = default;

  // Writes are committed in groups; each is answered when it is durable and in snapshot().
  virtual void write(EntryWrite write, env::Loop& answer_on, Done done) = 0;

  // The newest one that is durable. Whoever got an answer finds its write in here.
  virtual SnapshotPtr snapshot() const = 0;

  // From now on every batch, once and in order, on that loop, after it is in snapshot(). Those that
  // are still known from before come first; if none is, an empty one tells the revision.
  using Follower = std::move_only_function<void(BatchPtr)>;
  virtual void follow(env::Loop& loop, Follower follower) = 0;
};

}  // namespace berth::store
