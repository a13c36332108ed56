#include "store/history.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/check.h"

namespace berth::store {
namespace {

// The version that a change replaced is there for the history only.
std::size_t bytes_of(const Batch& batch) {
  std::size_t bytes = 0;
  for (const EntryChange& change : batch.changes) {
    bytes += sizeof(EntryChange) + change.key.table.size() + change.key.name.size();
    if (change.before) bytes += sizeof(Entry) + change.before->text.size();
  }
  return bytes;
}

}  // namespace

History::History(HistoryBounds bounds, Revision start)
    : bounds_(bounds), oldest_(start), newest_(start) {}

std::vector<BatchPtr> History::add(BatchPtr batch, Instant now) {
  CHECK(batch->after == newest_);
  if (batch->changes.empty()) return expire(now);
  newest_ = batch->changes.back().revision;
  const std::size_t bytes = bytes_of(*batch);
  bytes_ += bytes;
  changes_ += batch->changes.size();
  items_.push_back({.batch = std::move(batch), .added = now, .bytes = bytes});
  return expire(now);
}

std::vector<BatchPtr> History::expire(Instant now) {
  std::vector<BatchPtr> dropped;
  while (!items_.empty()) {
    const bool too_much = changes_ > bounds_.changes_max || bytes_ > bounds_.bytes_max;
    if (!too_much && now - items_.front().added <= bounds_.age) break;
    dropped.push_back(drop_first());
  }
  return dropped;
}

BatchPtr History::drop_first() {
  Item item = std::move(items_.front());
  items_.pop_front();
  oldest_ = item.batch->changes.back().revision;
  changes_ -= item.batch->changes.size();
  bytes_ -= item.bytes;
  return std::move(item.batch);
}

std::deque<History::Item>::const_iterator History::find(Revision revision) const {
  return std::ranges::partition_point(items_, [revision](const Item& item) {
    return item.batch->changes.back().revision <= revision;
  });
}

Status History::check_known(Revision revision) const {
  if (revision >= oldest_) return {};
  return failure(Code::Expired,
                 fmt::format("too old resource version: {} ({})", revision, oldest_));
}

Status History::visit_since(Revision revision, const Visitor& visitor) const {
  RETURN_IF_ERROR(check_known(revision));
  for (auto item = find(revision); item != items_.end(); ++item) {
    for (const EntryChange& change : item->batch->changes) {
      if (change.revision > revision) visitor(change);
    }
  }
  return {};
}

std::vector<BatchPtr> History::batches_since(Revision revision) const {
  std::vector<BatchPtr> batches;
  for (auto item = find(revision); item != items_.end(); ++item) batches.push_back(item->batch);
  return batches;
}

Result<SnapshotPtr> History::snapshot_at(const Snapshot& snapshot, Revision revision) const {
  if (revision > snapshot.revision()) {
    return failure(Code::BadRequest, fmt::format("revision {} is newer than the snapshot's {}",
                                                 revision, snapshot.revision()));
  }
  std::vector<EntryChange> changes;
  RETURN_IF_ERROR(visit_since(revision, [&](const EntryChange& change) {
    if (change.revision <= snapshot.revision()) changes.push_back(change);
  }));
  return undone(snapshot, changes, revision);
}

}  // namespace berth::store
