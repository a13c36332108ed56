// What is to be said about the room in a cluster: which resources, which shapes of pods, on which
// nodes, under which names and between which bounds.

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/label_selector.h"
#include "api/quantity.h"
#include "api/resource_list.h"
#include "api/taint.h"
#include "base/result.h"
#include "scores/normalise.h"

namespace berth::scores {

// Groups of scores, each with one name per resource.
enum class ScoreSet : std::uint8_t {
  Seed,     // cpuAvailable, memAvailable: 100 * free / max, from 0 to 100.
  Cluster,  // cpuClusterAvailable, ...: what is free on all nodes, from -100 to 100.
  Node,     // cpuNodeAvailable, ...: what is free on the node that has most, from -100 to 100.
  Ratio,    // cpuRatioAvailable, ...: how many percent of what nodes have is free.
};
Result<ScoreSet> parse_score_set(std::string_view name);  // "seed", "cluster", "node", "ratio".

struct TrackedResource {
  std::string name;    // As in requests: "cpu", "nvidia.com/gpu".
  std::string prefix;  // Of its scores' names: "cpu", "gpu".
  api::Quantity min = {};
  api::Quantity max;
  Curve curve = Curve::Linear;
  bool in_seed_set = true;
};

// Up to 100 cores, 1 TiB and 20 of each accelerator. The seeds know cpu and memory only.
std::vector<TrackedResource> default_resources();

// "How many pods that ask for this would find room now": the score fit.NAME.
struct Shape {
  std::string name;
  api::ResourceList requests;
  std::int64_t max = 100;  // So many and more are the score 100.
};

struct UsageOptions {
  std::set<ScoreSet> sets = {ScoreSet::Seed};
  std::vector<TrackedResource> resources = default_resources();
  std::vector<Shape> shapes = {};
  std::vector<api::Toleration> allowed_taints = {};  // Nodes with other ones do not count.
  api::LabelSelector nodes = {};
};

Status check_usage_options(const UsageOptions& options);

// "NAME[=PREFIX][,min=QUANTITY][,max=QUANTITY][,curve=linear|log]". What is not said is as in the
// defaults, if NAME is one of them; otherwise the prefix is the name, and max has to be said.
Result<TrackedResource> parse_resource(std::string_view text);

// "NAME=RESOURCE=QUANTITY[,RESOURCE=QUANTITY ...][,max=NUMBER]".
Result<Shape> parse_shape(std::string_view text);

// "KEY[=VALUE][:EFFECT]"; a key alone stands for all values and effects.
Result<api::Toleration> parse_allowed_taint(std::string_view text);

}  // namespace berth::scores
