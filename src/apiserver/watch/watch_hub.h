// WatchHub: what happened lately, and who is waiting for more of it. One for each loop.
//
// A watch keeps no queue: it is a cursor into what the hub remembers, moved when its client takes
// bytes. A client that takes nothing costs nothing, until the hub has forgotten the change it
// stands before; then its watch ends and it has to list again.
//
//   parked --(a change that concerns it)--> behind --(all delivered)--> parked

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/objects/selection.h"
#include "apiserver/watch/seen_objects.h"
#include "base/time.h"
#include "store/entry.h"
#include "store/history.h"
#include "store/snapshot.h"

namespace berth::apiserver {

class WatchHub {
  struct TableFeed;

 public:
  // One reader of one table. It is told through `wake` that there is something to take, and may
  // take at any time after; never again before it has taken everything.
  class Cursor {
   public:
    Cursor(WatchHub& hub, const std::string& table, Selection selection, store::Revision from,
           std::function<void()> wake);
    ~Cursor();
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    const Selection& selection() const { return selection_; }

    // The next change whose name the selection covers; nullptr when there is none now. Valid until
    // the hub takes the next batch.
    const store::EntryChange* next();

    // The hub has forgotten a change that this cursor has not seen.
    bool is_lost() const;

    // Everything up to here has been taken, once next() has said nullptr.
    store::Revision position() const;

   private:
    friend class WatchHub;

    WatchHub& hub_;
    TableFeed& feed_;
    std::uint64_t id_ = 0;  // Cursors are told in the order in which they came.
    Selection selection_;
    store::Revision seen_;  // Taken, or before the beginning.
    bool parked_ = true;
    std::function<void()> wake_;
  };

  explicit WatchHub(store::HistoryBounds bounds = {}) : bounds_(bounds) {}

  // The first one says from where on everything is known.
  void take(const store::BatchPtr& batch, Instant now);
  bool has_begun() const { return history_.has_value(); }

  store::Revision position() const { return history_ ? history_->newest() : 0; }

  // A watch from before this one cannot be complete.
  store::Revision oldest() const { return history_ ? history_->oldest() : 0; }

  // All objects as they were then; null when that is forgotten.
  store::SnapshotPtr snapshot_at(const store::Snapshot& snapshot, store::Revision revision) const;

  // For the watches that look inside.
  SeenObjects& seen_objects() { return seen_; }

  std::size_t cursors() const { return cursors_; }

 private:
  struct Remembered {
    store::BatchPtr batch;
    std::size_t index;

    const store::EntryChange& change() const { return batch->changes[index]; }
  };

  // Those who watch a table as a whole, by namespace ("ns/") and by name.
  struct TableFeed {
    std::deque<Remembered> changes;
    std::map<std::string, std::map<std::uint64_t, Cursor*>, std::less<>> waiting;
  };

  void attach(Cursor& cursor);
  void detach(Cursor& cursor);
  void forget(const store::Batch& batch);
  void rouse(TableFeed& feed, std::string_view key, store::Revision revision);

  store::HistoryBounds bounds_;
  std::optional<store::History> history_;
  std::map<std::string, TableFeed, std::less<>> tables_;  // Each stays where it is.
  SeenObjects seen_;
  std::size_t cursors_ = 0;
  std::uint64_t next_cursor_ = 0;
};

}  // namespace berth::apiserver
