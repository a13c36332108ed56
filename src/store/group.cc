#include "store/group.h"

#include <utility>

#include <fmt/core.h>

namespace berth::store {
namespace {

Error conflict(const EntryWrite& write, const Entry* there) {
  const std::string found = there ? fmt::format("at revision {}", there->revision) : "not there";
  const std::string expected =
      *write.expected == 0 ? "not to be there" : fmt::format("at revision {}", *write.expected);
  return {.code = Code::Conflict,
          .message = fmt::format("{} {} is {}, and was expected {}", write.key.table,
                                 write.key.name, found, expected)};
}

}  // namespace

Group::Group(SnapshotPtr snapshot)
    : snapshot_(std::move(snapshot)), revision_(snapshot_->revision()) {}

EntryPtr Group::find(const Key& key) const {
  const auto newest = newest_.find(key);
  if (newest != newest_.end()) return newest->second;
  return snapshot_->table(key.table).find(key.name);
}

Result<Written> Group::add(EntryWrite write) {
  EntryPtr before = find(write.key);
  if (write.expected && *write.expected != (before ? before->revision : 0)) {
    return failure(conflict(write, before.get()));
  }
  if (!write.draft) {
    Written written = {.revision = revision_ + 1, .entry = before};
    RETURN_IF_ERROR(replay(std::move(write.key), nullptr));
    return written;
  }
  Written written = {
      .revision = revision_ + 1,
      .entry = std::make_shared<const Entry>(completed(*write.draft, revision_ + 1))};
  put(std::move(write.key), std::move(before), written.entry);
  return written;
}

Status Group::replay(Key key, EntryPtr after) {
  EntryPtr before = find(key);
  if (!before && !after) {
    return failure(Code::NotFound, fmt::format("{} {} is not there", key.table, key.name));
  }
  put(std::move(key), std::move(before), std::move(after));
  return {};
}

void Group::put(Key key, EntryPtr before, EntryPtr after) {
  bytes_ += key.table.size() + key.name.size() + (after ? after->text.size() : 0);
  newest_[key] = after;
  changes_.push_back({.revision = ++revision_,
                      .key = std::move(key),
                      .before = std::move(before),
                      .after = std::move(after)});
}

Batch Group::batch() && { return {.after = snapshot_->revision(), .changes = std::move(changes_)}; }

}  // namespace berth::store
