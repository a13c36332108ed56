// Dependencies: which placements one changed object can affect. The answer holds all that are
// affected and few others, and costs what it is long, not what the hub holds.

#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/object_key.h"
#include "placement/compiling/compiled_placement.h"
#include "placement/fleet/fleet_change.h"
#include "placement/fleet/set_table.h"
#include "placement/options.h"
#include "placement/waking/reads.h"

namespace berth::placement {

// What its plugins, its groups and its spread policy read.
Reads find_reads(const CompiledPlacement& placement, const Options& options);

class Dependencies {
 public:
  void put(const CompiledPlacement& placement, const Options& options);
  void remove(const api::ObjectKey& placement);

  // Whether any placement reads Cluster::object.
  bool reads_whole_objects() const;

  // Sorted. `sets` are those of the fleet view after the change.
  std::vector<api::ObjectKey> affected(const FleetChange& change, const SetTable& sets) const;

 private:
  struct Entry {
    std::set<std::string, std::less<>> cluster_sets;  // Empty is all.
    Reads reads;
  };
  using Keys = std::set<api::ObjectKey>;

  // The one thing read, for the index: "label env", "score r/s".
  static std::vector<std::string> topics(const Reads& reads);

  bool sees(const api::ObjectKey& key, std::string_view set, const SetTable& sets) const;
  bool has_eligible_set(const api::ObjectKey& key, const Entry& entry, const SetTable& sets) const;
  void add_viewers(std::string_view set, const SetTable& sets, Keys& keys) const;

  // Placements of the namespace that may use the set, and those that may use none: whether there
  // is a binding at all shows in their condition.
  void add_waiting(std::string_view object_namespace, std::string_view set, const SetTable& sets,
                   Keys& keys) const;
  void add_readers(std::string_view topic, const std::vector<std::string>& in_sets,
                   const SetTable& sets, Keys& keys) const;

  void add(const ClusterChange& change, const SetTable& sets, Keys& keys) const;
  void add(const ScoreChange& change, const SetTable& sets, Keys& keys) const;
  void add(const SetChange& change, const SetTable& sets, Keys& keys) const;
  void add(const BindingChange& change, const SetTable& sets, Keys& keys) const;
  void add(const DecisionChange& change, const SetTable& sets, Keys& keys) const;

  std::map<api::ObjectKey, Entry> entries_;
  std::map<std::string, Keys, std::less<>> readers_;  // By topic.
};

}  // namespace berth::placement
