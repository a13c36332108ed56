// ClusterTable: the facts of every cluster that placement reads, extracted once when the cluster
// changes and kept under a small index.
//
// A name has an index as long as anything refers to it: the ManagedCluster itself, a score
// published for it, or a decision that still names it.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/add_on_placement_score.h"
#include "api/kinds/managed_cluster.h"
#include "api/taint.h"
#include "base/time.h"
#include "json/value.h"
#include "placement/fleet/bound_selector.h"
#include "placement/fleet/cluster_bits.h"
#include "placement/fleet/symbols.h"

namespace berth::placement {

enum class Resource : std::uint8_t { Cpu, Memory };
inline constexpr std::size_t kResources = 2;

// One AddOnPlacementScore.
struct ScoreReport {
  struct Item {
    Symbol name;
    std::int32_t value;
  };

  Symbol resource = kNoSymbol;  // The object's name.
  std::optional<Time> valid_until = std::nullopt;
  std::vector<Item> items = {};  // In the order of the object.

  const std::int32_t* find(Symbol name) const;
};

struct Cluster {
  std::string name = {};
  LabelIds labels = {};
  LabelIds claims = {};
  std::vector<api::Taint> taints = {};
  std::vector<ScoreReport> reports = {};
  std::shared_ptr<const json::Value> object = nullptr;  // Null where nobody reads it.
  bool exists = false;                                  // As a ManagedCluster.
  bool is_deleting = false;
  std::uint64_t version = 0;  // Another one, of all that there were, whenever anything changes.

  const ScoreReport* find_report(Symbol resource) const;
};

class ClusterTable {
 public:
  // The index of the name. Every acquire() needs its release(); the last one frees the index.
  ClusterIndex acquire(std::string_view name);
  void release(ClusterIndex cluster);

  // Both need an acquired index.
  void set_cluster(ClusterIndex index, const api::ManagedCluster& cluster,
                   std::shared_ptr<const json::Value> object, Symbols& symbols);
  void clear_cluster(ClusterIndex index, Symbols& symbols);
  void drop_objects();  // Of all clusters.

  void set_report(ClusterIndex index, const api::AddOnPlacementScore& score, Symbols& symbols);
  void clear_report(ClusterIndex index, std::string_view resource, Symbols& symbols);

  std::optional<ClusterIndex> find(std::string_view name) const;
  const Cluster& operator[](ClusterIndex index) const { return clusters_[index]; }
  std::size_t index_end() const { return clusters_.size(); }

  // NaN where the cluster has no data.
  double allocatable(Resource resource, ClusterIndex index) const {
    return allocatable_[static_cast<std::size_t>(resource)][index];
  }

  // Grows with the name: comparing two positions is comparing two names.
  std::uint64_t position(ClusterIndex index) const { return positions_[index]; }

  const ClusterBits& existing() const { return existing_; }
  const ClusterBits& deleting() const { return deleting_; }
  const ClusterBits& tainted() const { return tainted_; }

 private:
  using ByName = std::map<std::string, ClusterIndex, std::less<>>;

  void place(ByName::iterator entry);
  void renumber();

  std::vector<Cluster> clusters_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint64_t> positions_;
  std::array<std::vector<double>, kResources> allocatable_;
  std::vector<ClusterIndex> free_;
  std::uint64_t last_version_ = 0;
  ByName by_name_;
  ClusterBits existing_;
  ClusterBits deleting_;
  ClusterBits tainted_;
};

}  // namespace berth::placement
