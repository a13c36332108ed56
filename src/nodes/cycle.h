// One pod that looks for a node, as filters and scorers see it.

#pragma once

#include <cstdint>
#include <string>

#include "nodes/pod_facts.h"
#include "nodes/pod_wishes.h"
#include "nodes/snapshot.h"

namespace berth::nodes {

// A pod that waits, read once.
struct PendingPod {
  PodFacts facts;
  PodWishes wishes;
};

struct Cycle {
  const Snapshot& snapshot;
  const PendingPod& pod;
  Needs needs;                               // A pod slot included.
  std::vector<api::ResourceAmount> unknown;  // Asked for, and no node has it.
  std::string root_uid;

  static Cycle of(const Snapshot& snapshot, const PendingPod& pod);

  Claimant claimant() const {
    return {.name = pod.facts.key.name,
            .owner_uid = pod.facts.owner.uid,
            .root_uid = root_uid,
            .priority = pod.facts.priority,
            .needs = needs,
            .ports = pod.facts.ports};
  }
};

}  // namespace berth::nodes
