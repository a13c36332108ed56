// Which pods are being rebuilt, and whose room is kept: the controller of reservations without its
// wires.
//
// For a workload W, all of its ReplicaSets together where it is a Deployment:
//
//   needed(W)  what W wants to have, less its pods that are bound, not leaving and not ended
//   holds(W)   its reservations that keep room
//
// A pod that leaves its node gets a reservation if holds(W) < needed(W); when holds(W) >
// needed(W), some are released. So scaling down keeps nothing, nor does a rollout that has its new
// pod already; and pods that wait do not appear in the rule: they are what the holds are for.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource_list.h"
#include "api/taint.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "nodes/owned_pod.h"
#include "nodes/reservation.h"
#include "nodes/workload.h"

namespace berth::nodes {

struct RebuildOptions {
  Duration ttl = std::chrono::minutes(5);  // Unless the pod says otherwise.
  Duration ttl_max = std::chrono::hours(1);
  int node_percent_max = 50;       // Of a node's allocatable that reservations may keep.
  int namespace_percent_max = 50;  // Of the cluster's cpu and memory, for one namespace.
  Duration keep_closed = std::chrono::minutes(10);  // For people to look at.
};

enum class RebuildKind : std::uint8_t {
  Pods,
  Nodes,
  Namespaces,
  ReplicaSets,
  Deployments,
  StatefulSets,
  Jobs,
  Reservations,
};

// What should happen about one workload.
struct RebuildSteps {
  struct StatusChange {
    json::Value before;
    json::Value after;
  };
  struct Remark {
    RootOwner owner;
    api::ObjectKey pod;
    std::string reason;
  };

  std::vector<Reservation> create = {};
  std::vector<StatusChange> change = {};  // Of their status.
  std::vector<json::Value> remove = {};   // Closed long ago.
  std::vector<Remark> declined = {};      // Rebuilt, but its room is not kept; told once.
  std::vector<Remark> misread = {};       // Wishes that make no sense; once while pods have them.
  std::optional<Time> look_again = std::nullopt;
};

class Rebuilding {
 public:
  explicit Rebuilding(RebuildOptions options = {}) : options_(options) {}

  // Adds or replaces. Errors name the field that cannot be read; what was known is forgotten then.
  Status put(RebuildKind kind, const json::Value& object, Time now);
  void remove(RebuildKind kind, const std::string& uid, Time now);
  std::vector<std::string> uids(RebuildKind kind) const;

  // A workload of a kind that is not followed, as its scale says. It is asked for again whenever
  // unscaled() names it.
  void put_scale(const RootOwner& owner, const json::Value& scale);
  void drop_scale(const std::string& uid);

  // Owners of pods that leave, of kinds that nobody follows: their scale has to be read.
  std::vector<std::pair<RootOwner, std::string>> take_unscaled();  // With their namespaces.

  // Workloads about which plan() may say something new since the last call.
  std::set<std::string> take_due();

  // What it says to create counts as made until it is seen, or on_create_failed().
  RebuildSteps plan(const std::string& root_uid, Time now);
  void on_create_failed(const api::ObjectKey& reservation);

  std::int64_t needed(const std::string& root_uid) const;

 private:
  struct NodeState {
    std::string uid;
    bool takes_pods = false;  // Ready, not cordoned, not being deleted.
    std::vector<api::Taint> taints = {};
    api::ResourceList allocatable = {};
  };
  struct Known {
    json::Value object;
    Reservation reservation;
  };
  struct Departed {
    OwnedPod pod;
    Time gone;
  };
  using Uids = std::set<std::string, std::less<>>;

  Status put_pod(const json::Value& object, Time now);
  void put_node(const json::Value& object);
  Status put_reservation(const json::Value& object);
  void put_workload(std::string_view kind, const json::Value& object);
  void forget_pod(const std::string& uid);
  void forget_reservation(const std::string& uid);
  void forget_workload(const std::string& uid);
  std::string root_of(const std::string& owner_uid) const;
  void touch_node(std::string_view node);
  void want_scale(const OwnedPod& pod);

  const Workload* find_workload(const std::string& uid) const;
  std::vector<const OwnedPod*> pods_of(const std::string& root_uid) const;
  bool wants_rebuild(const OwnedPod& pod) const;
  bool has_reservation(const OwnedPod& pod) const;

  // rebuild_plan.cc
  struct Planning;
  void review(Planning& planning, const Known& known) const;
  void release_surplus(Planning& planning) const;
  void keep_room(Planning& planning);
  void tell_misread(Planning& planning);
  std::vector<const OwnedPod*> candidates(const std::string& root_uid, Time now);
  std::string node_objection(const OwnedPod& pod) const;
  std::string quota_objection(const OwnedPod& pod) const;
  bool exceeds(const api::ResourceList& held, const OwnedPod& pod, const api::ResourceList& whole,
               int percent) const;
  Reservation reservation_for(const OwnedPod& pod, const Workload& workload, Time now) const;

  RebuildOptions options_;
  std::map<std::string, OwnedPod, std::less<>> pods_;       // By uid.
  std::map<std::string, Uids, std::less<>> pods_of_owner_;  // By the direct owner's uid.
  std::map<std::string, Departed, std::less<>> departed_;   // Gone without a reservation.
  Uids seen_failing_;  // Pods that failed while we looked; others may have failed long ago.
  std::map<std::string, Workload, std::less<>> workloads_;
  std::map<std::string, RebuildKind, std::less<>> workload_kinds_;
  std::map<std::string, Uids, std::less<>> sets_of_;  // ReplicaSets by their Deployment.
  std::map<std::string, NodeState, std::less<>> nodes_;
  std::map<std::string, std::string, std::less<>> node_names_;  // By uid.
  std::map<std::string, bool, std::less<>> namespaces_;         // What their label says.
  std::map<std::string, std::string, std::less<>> namespace_names_;
  std::map<std::string, Known, std::less<>> reservations_;    // By uid.
  std::map<std::string, Uids, std::less<>> reservations_of_;  // By the root's uid.
  std::map<api::ObjectKey, Reservation> under_way_;           // Created, not seen yet.
  std::set<api::ObjectKey> reservation_keys_;
  Uids scaled_;  // Workloads that are known by their scale.
  std::map<std::string, std::pair<RootOwner, std::string>, std::less<>> unscaled_;
  Uids told_;  // Pods whose room is not kept, and whose owners know.
  std::map<std::string, Uids, std::less<>> misread_;  // Told about pods that are there, by root.
  std::set<std::string> due_;
};

}  // namespace berth::nodes
