// ScheduleRun: one run over one placement, at one time: what its expressions have answered so far,
// and what that has cost.
//
// A run that costs much is done in slices, so that nobody else waits for it. Each slice schedules
// the fleet as it is by then: what was answered before still counts, unless the cluster has changed
// meanwhile. A run that costs more than its budget ends, and the placement is told.

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "placement/fleet/cluster_bits.h"

namespace berth::placement {

class ScheduleRun {
 public:
  // What may be spent in all slices together. Costs are in the units of the expression language.
  ScheduleRun(Time now, std::uint64_t budget) : now_(now), budget_(budget) {}

  // Of the whole run, so that all slices judge by the same time.
  Time now() const { return now_; }

  // Ends with the evaluation that reaches `cost`. Without this the whole run is one slice.
  void begin_slice(std::uint64_t cost) { slice_left_ = cost; }

  // One predicate's expressions on one cluster.
  struct Progress {
    ClusterIndex cluster = 0;
    std::uint32_t answered = 0;  // Of its expressions, in their order.
    std::uint64_t version = 0;   // Of the cluster that was asked.
    std::uint64_t cost = 0;
    bool matches = true;  // As far as it was answered.
    bool is_too_expensive = false;
  };

  // Of these clusters, which ascend, what earlier slices found for the predicate.
  std::vector<Progress> resume(std::size_t predicate, std::vector<Progress> fresh) const;
  void remember(std::size_t predicate, std::vector<Progress> progress);

  // What may still be spent before slice or budget end; nothing is evaluated at 0.
  std::uint64_t allowance() const;
  void spend(std::uint64_t cost);

  bool is_over_budget() const { return spent_ >= budget_; }

  // "one expression costs about 300000 on one cluster, ...": what the placement's author should
  // know. Rounded, because it should stand still while the fleet changes.
  std::string over_budget_message() const;

 private:
  Time now_;
  std::uint64_t budget_;
  std::uint64_t slice_left_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t spent_ = 0;
  std::uint64_t evaluations_ = 0;
  std::vector<std::vector<Progress>> progress_ = {};  // By predicate.
};

}  // namespace berth::placement
