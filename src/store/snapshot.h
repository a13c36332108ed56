// Snapshot: all objects as they were at one revision. Immutable, so any thread may read it for as
// long as it likes; what two snapshots have in common they share.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "store/entry.h"
#include "store/table_list.h"

namespace berth::store {

class Snapshot {
 public:
  Snapshot() = default;  // Empty, at revision 0.
  Snapshot(TableList tables, Revision revision) : tables_(std::move(tables)), revision_(revision) {}

  Revision revision() const { return revision_; }
  const Table& table(std::string_view name) const;  // An empty one when there is none.
  const TableList& tables() const { return tables_; }
  std::size_t size() const;  // Of all tables.

 private:
  TableList tables_;
  Revision revision_ = 0;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// The snapshot after these changes, which are in the order of revisions and newer than it.
SnapshotPtr applied(const Snapshot& snapshot, std::span<const EntryChange> changes);

// The snapshot before these changes, the newest of which are in it, at `revision`. Tables that they
// touched say that this was their last change, which may be too late.
SnapshotPtr undone(const Snapshot& snapshot, std::span<const EntryChange> changes,
                   Revision revision);

// The same objects as if written before `revision`, which is not less than the snapshot's.
SnapshotPtr moved_to(const Snapshot& snapshot, Revision revision);

}  // namespace berth::store
