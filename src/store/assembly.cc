#include "store/assembly.h"

#include <utility>

#include <fmt/core.h>

namespace berth::store {
namespace {

constexpr std::size_t kBatchMost = 256;

std::unexpected<Error> damaged(std::string what) {
  return failure(Code::StoreReadError, std::move(what));
}

EntryPtr entry_of(const Row& row) {
  if (!row.text) return nullptr;
  return std::make_shared<const Entry>(Entry{
      .text = std::string(*row.text), .version_at = row.version_at, .revision = row.revision});
}

}  // namespace

Assembly::Assembly(BaseState base)
    : claimed_(base),
      found_{.revision = base.revision},
      snapshot_(std::make_shared<const Snapshot>()),
      group_(snapshot_) {}

Status Assembly::add(const Row& row, std::uint32_t stored_sum) {
  const Status added = add_checked(row, stored_sum);
  if (added.ok()) return added;
  return damaged(fmt::format("revision {}: {}", row.revision, added.error().message));
}

Status Assembly::add_checked(const Row& row, std::uint32_t stored_sum) {
  RETURN_IF_ERROR(check_row(row, stored_sum));
  if (row.revision <= last_) return damaged("the rows are not in order");
  last_ = row.revision;
  Key key = {.table = std::string(row.table), .name = std::string(row.name)};
  if (row.revision <= claimed_.revision) {
    if (!row.text) return damaged("a deletion that should have been compacted away");
    found_.add(stored_sum);
    unsorted_.push_back({.revision = row.revision, .key = std::move(key), .after = entry_of(row)});
    return {};
  }
  if (!base_finished_) RETURN_IF_ERROR(finish_base());
  if (const Revision expected = group_.revision() + 1; row.revision != expected) {
    return damaged(fmt::format("the row of revision {} is missing", expected));
  }
  RETURN_IF_ERROR(group_.replay(std::move(key), entry_of(row)));
  if (group_.changes().size() == kBatchMost) finish_batch();
  return {};
}

Status Assembly::finish_base() {
  base_finished_ = true;
  if (found_ != claimed_) {
    return damaged(fmt::format("the log should have {} rows up to revision {} and has {}{}",
                               claimed_.rows, claimed_.revision, found_.rows,
                               found_.rows == claimed_.rows ? " others" : ""));
  }
  const std::vector<EntryChange> changes = std::exchange(unsorted_, {});
  const SnapshotPtr sorted = applied(Snapshot(), changes);
  if (sorted->size() != changes.size()) {
    return damaged(fmt::format("up to revision {} an object is there twice", claimed_.revision));
  }
  snapshot_ = moved_to(*sorted, claimed_.revision);
  group_ = Group(snapshot_);
  return {};
}

void Assembly::finish_batch() {
  snapshot_ = applied(*snapshot_, group_.changes());
  recent_.push_back(std::make_shared<const Batch>(std::move(group_).batch()));
  group_ = Group(snapshot_);
}

Result<Loaded> Assembly::finish() && {
  if (!base_finished_) RETURN_IF_ERROR(finish_base());
  if (!group_.changes().empty()) finish_batch();
  return Loaded{.base = claimed_, .snapshot = std::move(snapshot_), .recent = std::move(recent_)};
}

}  // namespace berth::store
