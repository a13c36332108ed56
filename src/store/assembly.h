// Assembly: makes the state again from the rows of a log, and refuses rows that cannot be right.

#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "store/base_state.h"
#include "store/group.h"
#include "store/row.h"
#include "store/snapshot.h"

namespace berth::store {

// What a log holds.
struct Loaded {
  BaseState base;
  SnapshotPtr snapshot;          // With everything.
  std::vector<BatchPtr> recent;  // All changes since the base.
};

// Errors are StoreReadError and name the revision.
class Assembly {
 public:
  explicit Assembly(BaseState base);

  // In the order of revisions.
  Status add(const Row& row, std::uint32_t stored_sum);

  Result<Loaded> finish() &&;

 private:
  Status add_checked(const Row& row, std::uint32_t stored_sum);
  Status finish_base();
  void finish_batch();

  BaseState claimed_;
  BaseState found_;
  Revision last_ = 0;                  // Row.
  std::vector<EntryChange> unsorted_;  // Of the base.
  bool base_finished_ = false;
  SnapshotPtr snapshot_;
  Group group_;
  std::vector<BatchPtr> recent_;
};

}  // namespace berth::store
