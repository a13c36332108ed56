#include "store/compaction.h"

#include <utility>

#include "store/row.h"

namespace berth::store {

void Compaction::add(std::vector<BatchPtr> batches) {
  for (BatchPtr& batch : batches) {
    pending_ += batch->changes.size();
    batches_.push_back(std::move(batch));
  }
}

CompactionStep Compaction::next(std::size_t changes_max) const {
  CompactionStep step = {.rows = {}, .base = base_};
  std::size_t changes = 0;
  for (const BatchPtr& batch : batches_) {
    for (const EntryChange& change : batch->changes) {
      if (change.revision <= base_.revision) continue;
      if (changes++ == changes_max) return step;
      step.base.revision = change.revision;
      if (change.before) {
        const Revision replaced = change.before->revision;
        step.rows.push_back(replaced);
        step.base.remove(checksum(row_of(replaced, change.key, change.before.get())));
      }
      if (change.after) {
        step.base.add(checksum(row_of(change.revision, change.key, change.after.get())));
      } else {
        step.rows.push_back(change.revision);
      }
    }
  }
  return step;
}

void Compaction::done(const CompactionStep& step) {
  pending_ -= step.base.revision - base_.revision;
  base_ = step.base;
  while (!batches_.empty() && batches_.front()->changes.back().revision <= base_.revision) {
    batches_.pop_front();
  }
}

}  // namespace berth::store
