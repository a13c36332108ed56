// Ranks nodes by how much of them would be in use with the pod on them: the emptiest or the fullest
// first.

#pragma once

#include <string>
#include <vector>

#include "nodes/scorer.h"

namespace berth::nodes {

struct WeightedResource {
  std::string name;
  std::int64_t weight = 1;

  bool operator==(const WeightedResource&) const = default;
};

struct AllocationOptions {
  enum class Strategy : std::uint8_t { LeastAllocated, MostAllocated };

  Strategy strategy = Strategy::LeastAllocated;
  std::vector<WeightedResource> resources = {{"cpu", 1}, {"memory", 1}};

  bool operator==(const AllocationOptions&) const = default;
};

// kube-scheduler's NodeResourcesFit, to the point. Of cpu and memory a container that asks for
// nothing counts for a little, so that such containers spread too.
class Allocation final : public Scorer {
 public:
  explicit Allocation(AllocationOptions options) : options_(std::move(options)) {}

  std::string_view name() const override { return "NodeResourcesFit"; }
  bool score(const Cycle& cycle, std::span<const NodeSlot> nodes,
             std::span<std::int64_t> points) const override;

 private:
  AllocationOptions options_;
};

}  // namespace berth::nodes
