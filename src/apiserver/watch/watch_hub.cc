#include "apiserver/watch/watch_hub.h"

#include <algorithm>
#include <utility>

namespace berth::apiserver {
namespace {

// Under which name a cursor waits.
const std::string& waiting_place(const Selection& selection) {
  return selection.name.empty() ? selection.prefix : selection.name;
}

}  // namespace

WatchHub::Cursor::Cursor(WatchHub& hub, const std::string& table, Selection selection,
                         store::Revision from, std::function<void()> wake)
    : hub_(hub),
      feed_(hub.tables_[table]),
      selection_(std::move(selection)),
      seen_(from),
      wake_(std::move(wake)) {
  hub_.attach(*this);
}

WatchHub::Cursor::~Cursor() { hub_.detach(*this); }

const store::EntryChange* WatchHub::Cursor::next() {
  if (parked_ || is_lost()) return nullptr;
  const std::deque<Remembered>& changes = feed_.changes;
  auto at = std::ranges::upper_bound(changes, seen_, {},
                                     [](const Remembered& r) { return r.change().revision; });
  for (; at != changes.end(); ++at) {
    const store::EntryChange& change = at->change();
    seen_ = change.revision;
    if (selection_.covers(change.key.name)) return &change;
  }
  parked_ = true;
  return nullptr;
}

bool WatchHub::Cursor::is_lost() const { return !parked_ && seen_ < hub_.oldest(); }

store::Revision WatchHub::Cursor::position() const {
  return parked_ ? std::max(seen_, hub_.position()) : seen_;
}

void WatchHub::attach(Cursor& cursor) {
  ++cursors_;
  cursor.id_ = next_cursor_++;
  TableFeed& feed = cursor.feed_;
  feed.waiting[waiting_place(cursor.selection_)].emplace(cursor.id_, &cursor);
  // Changes from before it came may concern it.
  cursor.parked_ = feed.changes.empty() || feed.changes.back().change().revision <= cursor.seen_;
}

void WatchHub::detach(Cursor& cursor) {
  --cursors_;
  auto& waiting = cursor.feed_.waiting;
  const auto place = waiting.find(waiting_place(cursor.selection_));
  place->second.erase(cursor.id_);
  if (place->second.empty()) waiting.erase(place);
}

void WatchHub::take(const store::BatchPtr& batch, Instant now) {
  if (!history_) history_.emplace(bounds_, batch->after);
  if (batch->changes.empty()) return;
  for (std::size_t i = 0; i < batch->changes.size(); ++i) {
    tables_[batch->changes[i].key.table].changes.push_back({.batch = batch, .index = i});
  }
  for (const store::BatchPtr& old : history_->add(batch, now)) forget(*old);
  for (const store::EntryChange& change : batch->changes) {
    rouse(tables_[change.key.table], change.key.name, change.revision);
  }
}

void WatchHub::forget(const store::Batch& batch) {
  for (const store::EntryChange& change : batch.changes) {
    tables_.find(change.key.table)->second.changes.pop_front();
  }
}

store::SnapshotPtr WatchHub::snapshot_at(const store::Snapshot& snapshot,
                                         store::Revision revision) const {
  if (!history_) return nullptr;
  auto then = history_->snapshot_at(snapshot, revision);
  return then.ok() ? *std::move(then) : nullptr;
}

void WatchHub::rouse(TableFeed& feed, std::string_view key, store::Revision revision) {
  const auto rouse_at = [&feed, revision](std::string_view place) {
    const auto found = feed.waiting.find(place);
    if (found == feed.waiting.end()) return;
    for (const auto& [id, cursor] : found->second) {
      if (!cursor->parked_ || revision <= cursor->seen_) continue;
      cursor->parked_ = false;
      cursor->seen_ = std::max(cursor->seen_, revision - 1);
      cursor->wake_();
    }
  };
  rouse_at("");
  if (const std::size_t slash = key.find('/'); slash != std::string_view::npos) {
    rouse_at(key.substr(0, slash + 1));
  }
  rouse_at(key);
}

}  // namespace berth::apiserver
