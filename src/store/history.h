// History: the newest changes, kept so that those who fell behind can catch up, up to a bound.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "store/entry.h"
#include "store/snapshot.h"

namespace berth::store {

// What is older than `age` goes, and so does the oldest when there is too much.
struct HistoryBounds {
  Duration age = std::chrono::minutes(5);
  std::size_t changes_max = 200'000;
  std::size_t bytes_max = 64 << 20;  // Of the versions that only the history still holds.
};

class History {
 public:
  // Knows all changes after `start`, of which there are none yet.
  History(HistoryBounds bounds, Revision start);

  // Takes up the next batch, which follows the newest revision. Gives back what no longer fits.
  std::vector<BatchPtr> add(BatchPtr batch, Instant now);

  // Gives back what has become too old.
  std::vector<BatchPtr> expire(Instant now);

  // All changes after this revision are known.
  Revision oldest() const { return oldest_; }
  Revision newest() const { return newest_; }
  std::size_t changes() const { return changes_; }
  std::size_t bytes() const { return bytes_; }

  // The changes after `revision` in their order. Expired: it is before oldest(). A revision from
  // the future has none after it.
  using Visitor = std::function<void(const EntryChange& change)>;
  Status visit_since(Revision revision, const Visitor& visitor) const;

  // In their order, without those that end before `revision`.
  std::vector<BatchPtr> batches_since(Revision revision) const;

  // All objects as they were at `revision`, for a snapshot whose revision is in here. Expired: see
  // above; BadRequest: the snapshot is older.
  Result<SnapshotPtr> snapshot_at(const Snapshot& snapshot, Revision revision) const;

 private:
  struct Item {
    BatchPtr batch;
    Instant added;
    std::size_t bytes;
  };

  BatchPtr drop_first();
  std::deque<Item>::const_iterator find(Revision revision) const;
  Status check_known(Revision revision) const;

  HistoryBounds bounds_;
  Revision oldest_;
  Revision newest_;
  std::deque<Item> items_;
  std::size_t changes_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace berth::store
