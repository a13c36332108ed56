// Which filters and scorers decide about the pods of one schedulerName.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nodes/filter.h"
#include "nodes/scorer.h"

namespace berth::nodes {

struct WeightedScorer {
  std::shared_ptr<const Scorer> scorer;
  std::int64_t weight = 1;
};

struct Profile {
  std::string scheduler_name = "berth-scheduler";
  std::vector<std::shared_ptr<const Filter>> filters = {};
  std::vector<WeightedScorer> scorers = {};

  // Of how many nodes that could take a pod the best is sought, in percent of all; 0: fewer the
  // larger the cluster is, as kube-scheduler does.
  int percentage_of_nodes_to_score = 0;
};

// Everything that Berth has, with its usual weight.
Profile default_profile();

// How many nodes that could take a pod are enough, of so many nodes in all.
std::size_t nodes_to_find(std::size_t nodes, int percentage);

}  // namespace berth::nodes
