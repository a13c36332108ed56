// Compaction: which rows of the log nobody needs any more, in small steps.

#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "store/base_state.h"
#include "store/entry.h"

namespace berth::store {

struct CompactionStep {
  std::vector<Revision> rows;  // To be removed.
  BaseState base;              // That holds when they are gone.
};

// Collects the changes that fell out of the history, in their order. From then on the version that
// a change replaced, and a deletion itself, are of no use.
class Compaction {
 public:
  explicit Compaction(BaseState base) : base_(base) {}

  void add(std::vector<BatchPtr> batches);

  std::size_t pending() const { return pending_; }  // Changes.

  // What to do next, for up to so many changes. It counts as done with done(); until then the same
  // step is given again.
  CompactionStep next(std::size_t changes_max) const;
  void done(const CompactionStep& step);

 private:
  BaseState base_;
  std::deque<BatchPtr> batches_;
  std::size_t pending_ = 0;
};

}  // namespace berth::store
