// A cluster to play with: nodes that exist on paper, and a workload whose size goes up and down
// like a day, so that there is something to decide by.

#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"
#include "json/value.h"

namespace berth::local {

inline constexpr const char* kExampleNamespace = "default";
inline constexpr const char* kExampleWorkload = "web";

// Number 1 is "node1". Of a size that makes a difference of one pod visible in scores.
json::Value example_node(int number);

// A Deployment of that many pods, each of half a core.
json::Value example_workload(std::int64_t replicas);

// How many of its pods are that share of the room in so many nodes.
std::int64_t example_pods(int nodes, double share);

// How many pods there should be at that moment in a cluster with so many nodes. Between a tenth and
// nine tenths of what fits; each cluster (they are numbered from 1) has its noon at another time.
// Beyond fifty clusters days are longer and noons lower, the more there are: all of them are on one
// machine, which has other things to do than to make pods.
struct ExampleLoad {
  int cluster = 1;
  int clusters = 1;
  int nodes = 1;
  Duration day = std::chrono::minutes(10);
};
std::int64_t example_replicas(const ExampleLoad& load, Time now);

}  // namespace berth::local
