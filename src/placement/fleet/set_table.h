// SetTable: the cluster sets, who is in them, and which namespaces may use them.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/managed_cluster_set.h"
#include "placement/fleet/bound_selector.h"
#include "placement/fleet/cluster_bits.h"
#include "placement/fleet/cluster_table.h"
#include "placement/fleet/symbols.h"

namespace berth::placement {

// One ManagedClusterSet with its members, terminating clusters included.
class ClusterSet {
 public:
  ClusterSet(const api::ManagedClusterSet& set, Symbols& symbols);
  void release(Symbols& symbols);

  bool selects(const Cluster& cluster) const;

  const ClusterBits& members() const { return members_; }
  bool is_exclusive() const { return label_ != kNoSymbol; }  // A label alone makes a member.
  const std::optional<Error>& problem() const { return problem_; }

 private:
  friend class SetTable;

  std::vector<Symbol> symbols_;  // Held, so that the bound selector stays valid.
  std::optional<BoundSelector> selector_;
  Symbol label_ = kNoSymbol;  // For an exclusive set: the label and the value it must have.
  Symbol value_ = kNoSymbol;
  std::optional<Error> problem_;
  ClusterBits members_;
};

class SetTable {
 public:
  // Each says whether it made a difference to anybody.
  bool put(const api::ManagedClusterSet& set, const ClusterTable& clusters, Symbols& symbols);
  bool remove(std::string_view name, Symbols& symbols);
  bool bind(std::string_view object_namespace, std::string_view set);
  bool unbind(std::string_view object_namespace, std::string_view set);

  // Sorts the cluster into the sets that select it.
  void update(ClusterIndex index, const Cluster& cluster);

  const ClusterSet* find(std::string_view name) const;
  std::vector<std::string> sets_of(ClusterIndex cluster) const;  // Sorted.

  // Names of bindings in the namespace, and namespaces with a binding of that name; sorted.
  const std::set<std::string, std::less<>>& bound_in(std::string_view object_namespace) const;
  const std::set<std::string, std::less<>>& namespaces_of(std::string_view set) const;

 private:
  using Names = std::set<std::string, std::less<>>;

  std::map<std::string, ClusterSet, std::less<>> sets_;
  std::map<std::string, Names, std::less<>> bindings_;    // By namespace.
  std::map<std::string, Names, std::less<>> namespaces_;  // By set.
};

}  // namespace berth::placement
