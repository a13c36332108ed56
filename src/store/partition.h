// A partition: the tables of a store whose names begin alike, seen as a store's of their own.
//
// Tables "pods" and "~paris/pods" of one store are "pods" of nobody's and "pods" of the partition
// "paris". Revisions are those of the whole store, so a partition's have gaps.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/snapshot.h"

namespace berth::store {

// Where a table of the whole store belongs.
struct PartitionedTable {
  std::string_view partition;  // Empty: to none.
  std::string_view table;
};
PartitionedTable partitioned(std::string_view table);

// One partition of successive snapshots. What has not changed from one to the next is kept.
class PartitionView {
 public:
  // The name has no '/'. Empty: all tables that are in no partition.
  explicit PartitionView(std::string_view name);

  std::string whole_name(std::string_view table) const { return prefix_ + std::string(table); }

  // At the revision of its own last change, or at `floor`, whichever is newer.
  SnapshotPtr of(const SnapshotPtr& whole, Revision floor);

 private:
  std::vector<NamedTablePtr> tables_in(const Snapshot& whole) const;
  std::vector<NamedTablePtr> renamed(const std::vector<NamedTablePtr>& sources) const;

  std::string prefix_;
  SnapshotPtr whole_;                   // As last seen,
  std::vector<NamedTablePtr> sources_;  // what was in it of this partition,
  std::vector<NamedTablePtr> tables_;   // what that looks like,
  SnapshotPtr partition_;               // and as a store's own.
};

}  // namespace berth::store
