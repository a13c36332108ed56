// What kube-scheduler asks an extender, and the answers: the same holds for the stock scheduler.
//
// kube-scheduler has asked its own filters before, so only holds are judged here, on nodes where
// there are some. It may know more than we do: a predecessor that is still here may be gone there.
// So its own successor is judged as if the predecessor were gone, and everybody else as if he were
// not. A no is final ("unresolvable"): else kube-scheduler would evict pods for room that stays
// held, again and again.
//
// The members of these documents are written as Go has them: "NodeNames", "FailedNodes".

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "nodes/cycle.h"
#include "nodes/snapshot.h"

namespace berth::nodes {

// The most that a node's score may be, in the protocol.
inline constexpr std::int64_t kExtenderPointsMax = 10;

struct ExtenderArgs {
  PendingPod pod;
  std::vector<std::string> nodes = {};
  json::Value node_objects = {};  // Without nodeCacheCapable: the whole nodes; null with it.

  static Result<ExtenderArgs> from_json(const json::Value& arguments);
};

// Why the pod must not have that node now; empty: it may.
std::string hold_objection(const Cycle& cycle, NodeSlot node);

json::Value extender_filter(const Snapshot& snapshot, const ExtenderArgs& arguments);
json::Value extender_prioritize(const Snapshot& snapshot, const ExtenderArgs& arguments);

// Of the nodes where evictions would make room, those where it would not be held for somebody else
// afterwards.
Result<json::Value> extender_preempt(const Snapshot& snapshot, const json::Value& arguments);

// Which reservation the pod takes with that node; empty: none.
std::string claim_of(const Snapshot& snapshot, const PendingPod& pod, std::string_view node);

}  // namespace berth::nodes
