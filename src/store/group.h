// Group: writes that will be committed together. Each is checked against what the ones before it
// make of the snapshot.

#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "base/result.h"
#include "store/entry.h"
#include "store/snapshot.h"

namespace berth::store {

class Group {
 public:
  explicit Group(SnapshotPtr snapshot);

  // Gives it the next revision. Conflict: what it expects does not hold; NotFound: there is nothing
  // to delete. A write that is refused uses no revision.
  Result<Written> add(EntryWrite write);

  // A change that was decided before, at the next revision. NotFound as above.
  Status replay(Key key, EntryPtr after);

  const std::vector<EntryChange>& changes() const { return changes_; }
  std::size_t bytes() const { return bytes_; }  // About what the log will get.
  Revision revision() const { return revision_; }

  Batch batch() &&;

 private:
  EntryPtr find(const Key& key) const;
  void put(Key key, EntryPtr before, EntryPtr after);

  SnapshotPtr snapshot_;
  Revision revision_;  // The last one that is in use.
  std::vector<EntryChange> changes_;
  std::map<Key, EntryPtr> newest_;  // Of the keys that changed.
  std::size_t bytes_ = 0;
};

}  // namespace berth::store
