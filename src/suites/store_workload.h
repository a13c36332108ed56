// A DurableStore with writers and followers in the simulator: what was answered stays, revisions
// have no gaps and none is used twice, followers hear every change once and in order.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/run.h"
#include "suites/store_checker.h"

namespace berth::suites {

// Known mistakes, to see whether the simulator finds them.
enum class StoreMistake {
  None,
  AnswersBeforeSync,  // The disk is told to sync and does not.
  ReusesARevision,    // A compaction removes the newest row and forgets that it was there.
  DropsAChange,       // A batch lacks one.
};

class StoreWorkload final : public sim::Workload {
 public:
  explicit StoreWorkload(StoreMistake mistake);
  ~StoreWorkload() override;

  void start(sim::World& world) override;
  Status check() override { return checker_.verdict(); }
  Status settled() override;

 private:
  class Life;
  class Writer;

  StoreMistake mistake_;
  StoreChecker checker_;
  std::vector<std::size_t> done_;  // Writes of each writer that were answered well.
  std::weak_ptr<Life> life_;
};

sim::Suite store_suite(StoreMistake mistake);

}  // namespace berth::suites
