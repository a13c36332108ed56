#include "placement/deciding/spread.h"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

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
    if (is_new) {
      counts_.push_back(0);
      reached_[0].push_back(entry->second);
    }
    return entry->second;
  }

  // Counts one more cluster; the topologies for which exceeds() may have changed by that.
  std::vector<std::size_t> take(std::size_t topology) {
    std::vector<std::size_t> changed = {topology};
    const std::size_t count = ++counts_[topology];
    if (count == reached_.size()) reached_.emplace_back();
    reached_[count].push_back(topology);
    if (count != fewest_ + 1 || reached_[count].size() < counts_.size()) return changed;
    const std::size_t allowed_now = fewest_++ + skew_max();
    if (allowed_now < reached_.size()) {
      changed.insert(changed.end(), reached_[allowed_now].begin(), reached_[allowed_now].end());
    }
    return changed;
  }

  bool exceeds(std::size_t topology) const { return counts_[topology] >= fewest_ + skew_max(); }

  bool hard() const { return is_hard(constraint_); }

 private:
  std::size_t skew_max() const {
    return static_cast<std::size_t>(std::max(0, constraint_.skew_max));
  }

  const api::SpreadConstraint& constraint_;
  std::map<std::optional<std::string>, std::size_t> numbers_;
  std::vector<std::size_t> counts_;
  std::size_t fewest_ = 0;                                // The smallest of the counts.
  std::vector<std::vector<std::size_t>> reached_ = {{}};  // By a count: who has ever had it.
};

// How good it is to take from a bucket next; the smallest is the best.
struct Rank {
  std::vector<bool> violations;  // Of soft constraints, the most important first.
  std::size_t cluster;           // Index into `ordered`.
  std::size_t bucket;

  auto operator<=>(const Rank&) const = default;
};

// Clusters that are alike to all constraints; only their best one is worth looking at.
struct Bucket {
  std::vector<std::size_t> topologies;  // One for each constraint.
  std::vector<std::size_t> clusters;    // Indices into `ordered`.
  std::size_t next = 0;
  std::optional<Rank> rank = std::nullopt;  // None: nothing can be taken now.
};

// Keeps all buckets in order, so that a step costs as much as it changes: of a topology with a
// cluster more, and of those that may have another one once every topology has.
class Spreading {
 public:
  Spreading(std::span<const api::SpreadConstraint> constraints, const FleetView& fleet,
            std::span<const ClusterIndex> ordered)
      : members_(constraints.size()) {
    for (const auto& constraint : constraints) constraints_.emplace_back(constraint);
    std::map<std::vector<std::size_t>, std::size_t> places;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      const auto topologies = topologies_of(fleet, ordered[i]);
      if (!topologies) continue;
      const auto [place, is_new] = places.try_emplace(*topologies, buckets_.size());
      if (is_new) add_bucket(*topologies);
      buckets_[place->second].clusters.push_back(i);
    }
    for (std::size_t i = 0; i < buckets_.size(); ++i) update(i);
  }

  // The best cluster that can be taken now.
  std::optional<std::size_t> take() {
    if (order_.empty()) return std::nullopt;
    const Rank best = *order_.begin();
    ++buckets_[best.bucket].next;
    update(best.bucket);
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      for (const std::size_t topology : constraints_[i].take(buckets_[best.bucket].topologies[i])) {
        for (const std::size_t bucket : members_[i][topology]) update(bucket);
      }
    }
    return best.cluster;
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

  void add_bucket(const std::vector<std::size_t>& topologies) {
    for (std::size_t i = 0; i < topologies.size(); ++i) {
      members_[i][topologies[i]].push_back(buckets_.size());
    }
    buckets_.push_back({.topologies = topologies, .clusters = {}});
  }

  void update(std::size_t index) {
    Bucket& bucket = buckets_[index];
    if (bucket.rank) order_.erase(*bucket.rank);
    bucket.rank = rank_of(index);
    if (bucket.rank) order_.insert(*bucket.rank);
  }

  // None when the bucket is empty or a hard constraint forbids it.
  std::optional<Rank> rank_of(std::size_t index) const {
    const Bucket& bucket = buckets_[index];
    if (bucket.next == bucket.clusters.size()) return std::nullopt;
    Rank rank{.violations = {}, .cluster = bucket.clusters[bucket.next], .bucket = index};
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const bool exceeds = constraints_[i].exceeds(bucket.topologies[i]);
      if (exceeds && constraints_[i].hard()) return std::nullopt;
      rank.violations.push_back(exceeds);
    }
    return rank;
  }

  std::vector<Topologies> constraints_;
  std::vector<Bucket> buckets_;
  std::vector<std::map<std::size_t, std::vector<std::size_t>>> members_;  // Buckets by topology.
  std::set<Rank> order_;
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
