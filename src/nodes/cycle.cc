// Tested by schedule_test.cc.
#include "nodes/cycle.h"

#include <algorithm>
#include <utility>

namespace berth::nodes {

Cycle Cycle::of(const Snapshot& snapshot, const PendingPod& pod) {
  auto [needs, unknown] = snapshot.columns().resolve(pod.facts.requests);
  std::erase_if(needs, [](const Need& need) { return need.column == kPods; });
  needs.insert(std::ranges::upper_bound(needs, kPods, {}, &Need::column), {kPods, 1});
  return {.snapshot = snapshot,
          .pod = pod,
          .needs = std::move(needs),
          .unknown = std::move(unknown),
          .root_uid = std::string(snapshot.owners().root_of(pod.facts.owner.uid))};
}

}  // namespace berth::nodes
