// Nodes, the pods on them and the room that is held, with exact accounting that follows one object
// at a time.
//
//   usage(n)   what pods bound to n ask for, terminating ones included, and pods assumed there
//   free(n)    allocatable(n) - usage(n)
//   hold(n,p)  for each hold on n that p does not claim and whose priority p does not exceed:
//              what it keeps, less what its predecessor still has there
//   p fits n   request(p) <= free(n) - hold(n,p), for every resource, pod slots and host ports
//
// Sums are exact beyond 64 bits; the columns that scheduling reads are clamped to 64. Which order
// objects come in makes no difference: a pod or a hold may be known before its node.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/labels.h"
#include "api/taint.h"
#include "base/result.h"
#include "base/strings.h"
#include "json/value.h"
#include "nodes/amounts.h"
#include "nodes/hold.h"
#include "nodes/owners.h"
#include "nodes/pod_facts.h"

namespace berth::nodes {

// Names a node within one Snapshot for as long as the node, or a pod or hold on it, is known.
using NodeSlot = std::uint32_t;

// What scheduling reads of a node object.
struct NodeFacts {
  std::string name = {};
  std::string uid = {};
  std::vector<api::Label> labels = {};  // Sorted by key.
  std::vector<api::Taint> taints = {};
  bool unschedulable = false;

  bool operator==(const NodeFacts&) const = default;
};

struct BoundPod {
  api::ObjectKey key;
  std::string uid;
  NodeSlot node = 0;
  Needs needs = {};
  std::vector<api::ResourceAmount> unknown = {};  // Of resources that no node has.
  std::int64_t scored_cpu = 0;
  std::int64_t scored_memory = 0;
  std::vector<HostPort> ports = {};
  std::string owner_uid = {};
  std::string claim = {};
  std::int32_t priority = 0;
  std::vector<AntiAffinityTerm> anti_affinity = {};
};

// What a hold keeps at the moment.
struct StandingHold {
  const Hold* hold;
  Needs needs = {};
  std::vector<HostPort> ports = {};
};

// A pod as holds see it. Points to what its maker keeps.
struct Claimant {
  std::string_view name;
  std::string_view owner_uid;
  std::string_view root_uid;
  std::int32_t priority = 0;
  const Needs& needs;
  const std::vector<HostPort>& ports;
};

class Snapshot {
 public:
  Snapshot();
  Snapshot(const Snapshot&) = delete;  // Standing holds point into it.
  Snapshot& operator=(const Snapshot&) = delete;

  // What happened to a node: whether pods that did not fit may fit now.
  struct NodeChange {
    NodeSlot node = 0;
    bool facts_changed = false;  // Labels, taints, cordoned or not, or the node is new.
    bool has_more_room = false;
    std::vector<std::string> problems = {};  // Of the node's annotations, if they changed.
  };

  // Adds or replaces. An object with an amount that cannot be read is an error; what was known
  // before is then forgotten.
  Result<NodeChange> put_node(const json::Value& node);
  void remove_node(std::string_view name);

  // A pod that is bound, or assumed to be. Terminal and unbound pods take nothing: they are
  // removed. The changes are those of the node that it left and of the one that it is on.
  std::vector<NodeChange> put_pod(const PodFacts& pod);
  std::vector<NodeChange> remove_pod(std::string_view uid);

  std::vector<NodeChange> put_hold(const Hold& hold);
  std::vector<NodeChange> remove_hold(std::string_view id);
  std::vector<NodeChange> put_owner(const json::Value& replica_set);
  void remove_owner(std::string_view uid);

  // Nodes that are there, in no meaningful but a stable order.
  std::span<const NodeSlot> nodes() const { return live_; }
  std::size_t slots() const { return entries_.size(); }  // Above every NodeSlot.
  std::optional<NodeSlot> find_node(std::string_view name) const;
  const NodeFacts& facts(NodeSlot node) const { return entries_[node].facts; }
  const std::string& name(NodeSlot node) const { return entries_[node].facts.name; }

  const ResourceColumns& columns() const { return columns_; }
  const Owners& owners() const { return owners_; }

  // By NodeSlot.
  std::span<const std::int64_t> free(Column column) const { return free_[column]; }
  std::span<const std::int64_t> allocatable(Column column) const { return allocatable_[column]; }
  std::span<const std::int64_t> scored_cpu() const { return scored_cpu_; }  // In use.
  std::span<const std::int64_t> scored_memory() const { return scored_memory_; }

  std::span<const HostPort> ports(NodeSlot node) const { return entries_[node].ports; }
  bool has_holds(NodeSlot node) const { return !entries_[node].standing.empty(); }
  std::span<const StandingHold> holds(NodeSlot node) const { return entries_[node].standing; }

  const BoundPod* find_pod(std::string_view uid) const;
  std::size_t pods() const { return pods_.size(); }
  std::vector<std::string> pod_uids() const;
  std::vector<const BoundPod*> pods_on(NodeSlot node) const;  // By namespace and name.

  // Bound pods with required anti-affinity.
  std::span<const std::string> repelling_pods() const { return repelling_; }

  // The hold that the pod would claim on the node; nullptr: none.
  const StandingHold* claim_on(NodeSlot node, const Claimant& pod) const;

  // Where holds stand that the pod may claim.
  std::vector<NodeSlot> claimable_nodes(const Claimant& pod) const;

  // When the first hold that has an end ends.
  std::optional<Time> next_expiry() const;
  std::vector<std::string> expired_holds(Time now) const;
  const std::map<std::string, Hold, std::less<>>& all_holds() const { return holds_; }
  bool is_claimed(std::string_view hold) const { return claims_.contains(hold); }

 private:
  __extension__ using Wide = __int128;  // No sum of amounts can outgrow it.
  template <typename T>
  using ByText = boost::unordered_flat_map<std::string, T, StringHash, std::equal_to<>>;

  struct Entry {
    NodeFacts facts = {};
    bool is_known = false;  // False: only pods or holds of it are.
    std::uint64_t annotations_hash = 0;
    std::vector<std::int64_t> allocatable = {};  // By column.
    std::vector<Wide> used = {};                 // By column.
    Wide scored_cpu = 0;
    Wide scored_memory = 0;
    std::vector<std::string> pods = {};   // Uids.
    std::vector<HostPort> ports = {};     // Of all pods.
    std::vector<std::string> holds = {};  // Ids, sorted.
    std::vector<StandingHold> standing = {};
  };
  enum class Sign : std::int8_t { Add = 1, Withdraw = -1 };

  NodeSlot slot_of(std::string_view name);
  void release_if_empty(NodeSlot node);
  void make_columns(const api::ResourceList& allocatable);
  void resolve_unknown();
  void add_live(NodeSlot node);
  void drop_live(NodeSlot node);
  bool put_annotation_holds(const json::Value& object, NodeChange& change);
  void charge(const BoundPod& pod, Sign sign);
  void publish(NodeSlot node);
  void attach(const BoundPod& pod);
  void refresh_claimed(const std::string& claim);
  std::optional<NodeSlot> detach(std::string_view uid);
  void link_hold(const Hold& hold);
  std::optional<NodeSlot> unlink_hold(std::string_view id);
  void refresh_holds(NodeSlot node);
  bool is_used(const Entry& entry, const Hold& hold, ByText<std::size_t>& bound) const;
  bool is_claimable(const Hold& hold, const Claimant& pod) const;

  ResourceColumns columns_;
  Owners owners_;
  std::vector<Entry> entries_;
  std::vector<NodeSlot> unused_;
  std::vector<NodeSlot> live_;
  std::vector<std::size_t> place_in_live_;  // By slot.
  ByText<NodeSlot> slots_;
  ByText<BoundPod> pods_;  // By uid. References break when one is added.
  std::vector<std::string> repelling_;
  std::map<std::string, Hold, std::less<>> holds_;  // By id; addresses are stable.
  std::map<std::string, std::vector<std::string>, std::less<>> holds_of_;  // Ids by owner.
  ByText<std::size_t> claims_;             // How many pods say that they took the hold.
  std::vector<std::string> with_unknown_;  // Pods that ask for resources no node has.

  std::vector<std::vector<std::int64_t>> free_;  // By column, then slot.
  std::vector<std::vector<std::int64_t>> allocatable_;
  std::vector<std::int64_t> scored_cpu_;
  std::vector<std::int64_t> scored_memory_;
};

}  // namespace berth::nodes
