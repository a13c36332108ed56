#include "placement/spread.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace berth::placement {
namespace {

using KeyType = api::SpreadConstraint::KeyType;
using WhenUnsatisfiable = api::SpreadConstraint::WhenUnsatisfiable;

bool is_hard(const api::SpreadConstraint& constraint) {
  return constraint.when_unsatisfiable == WhenUnsatisfiable::DoNotSchedule;
}

// One constraint with the clusters taken so far in each of its topologies.
class Topologies {
 public:
  explicit Topologies(const api::SpreadConstraint& constraint) : constraint_(constraint) {}

  // The topology's number; nullopt when the cluster may not be taken.
  std::optional<std::size_t> topology_of(const FleetView& fleet, ClusterIndex cluster) {
    const auto value = constraint_.key_type == KeyType::Label
                           ? fleet.label(cluster, constraint_.topology_key)
                           : fleet.claim(cluster, constraint_.topology_key);
    if (!value && is_hard(constraint_)) return std::nullopt;
    std::optional<std::string> name;
    if (value) name = std::string(*value);
    const auto [entry, is_new] = numbers_.try_emplace(std::move(name), counts_.size());
    if (is_new) counts_.push_back(0);
    return entry->second;
  }

  void take(std::size_t topology) { ++counts_[topology]; }

  bool exceeds(std::size_t topology) const {
    return counts_[topology] + 1 - std::ranges::min(counts_) > constraint_.skew_max;
  }

  bool hard() const { return is_hard(constraint_); }

 private:
  const api::SpreadConstraint& constraint_;
  std::map<std::optional<std::string>, std::size_t> numbers_;
  std::vector<std::int64_t> counts_;
};

// Clusters that are alike to all constraints; only their best one is worth looking at.
struct Bucket {
  std::vector<std::size_t> topologies;  // One for each constraint.
  std::vector<std::size_t> clusters;    // Indices into `ordered`.
  std::size_t next = 0;
};

class Spreading {
 public:
  Spreading(std::span<const api::SpreadConstraint> constraints, const FleetView& fleet,
            std::span<const ClusterIndex> ordered) {
    for (const auto& constraint : constraints) constraints_.emplace_back(constraint);
    std::map<std::vector<std::size_t>, std::size_t> places;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      const auto topologies = topologies_of(fleet, ordered[i]);
      if (!topologies) continue;
      const auto [place, is_new] = places.try_emplace(*topologies, buckets_.size());
      if (is_new) buckets_.push_back({.topologies = *topologies, .clusters = {}});
      buckets_[place->second].clusters.push_back(i);
    }
  }

  // The best cluster that can be taken now.
  std::optional<std::size_t> take() {
    Bucket* best = nullptr;
    std::vector<bool> best_violations;
    for (Bucket& bucket : buckets_) {
      if (bucket.next == bucket.clusters.size()) continue;
      const auto violations = soft_violations(bucket);
      if (!violations) continue;
      const bool is_better = !best || *violations < best_violations ||
                             (*violations == best_violations &&
                              bucket.clusters[bucket.next] < best->clusters[best->next]);
      if (!is_better) continue;
      best = &bucket;
      best_violations = *violations;
    }
    if (!best) return std::nullopt;
    for (std::size_t i = 0; i < constraints_.size(); ++i) constraints_[i].take(best->topologies[i]);
    return best->clusters[best->next++];
  }

 private:
  std::optional<std::vector<std::size_t>> topologies_of(const FleetView& fleet,
                                                        ClusterIndex cluster) {
    std::vector<std::size_t> topologies;
    // Asks every constraint, so that a topology exists even if another constraint refuses it.
    bool refused = false;
    for (Topologies& constraint : constraints_) {
      const auto topology = constraint.topology_of(fleet, cluster);
      refused = refused || !topology;
      topologies.push_back(topology.value_or(0));
    }
    if (refused) return std::nullopt;
    return topologies;
  }

  // Which soft constraints taking from the bucket would violate, the most important first; nullopt
  // when a hard one forbids it.
  std::optional<std::vector<bool>> soft_violations(const Bucket& bucket) const {
    std::vector<bool> violations;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const bool exceeds = constraints_[i].exceeds(bucket.topologies[i]);
      if (exceeds && constraints_[i].hard()) return std::nullopt;
      violations.push_back(exceeds);
    }
    return violations;
  }

  std::vector<Topologies> constraints_;
  std::vector<Bucket> buckets_;
};

}  // namespace

std::vector<std::size_t> spread(std::span<const api::SpreadConstraint> constraints,
                                const FleetView& fleet, std::span<const ClusterIndex> ordered,
                                std::size_t count_max) {
  Spreading spreading(constraints, fleet, ordered);
  std::vector<std::size_t> taken;
  while (taken.size() < count_max) {
    const auto next = spreading.take();
    if (!next) break;
    taken.push_back(*next);
  }
  return taken;
}

}  // namespace berth::placement
