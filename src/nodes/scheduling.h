// A scheduler without its wires: what is known of the cluster, the queue, and what to do next.
//
//   put_*, remove_*   what the cluster says
//   next()            a pod that should be bound, or told why it is not
//   on_bound, on_bind_failed
//                     what came of it
//
// A chosen node is assumed at once, so the next pod does not get the same room; a binding that
// fails is forgotten, and whoever the room could help is tried again.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "nodes/cycle.h"
#include "nodes/profile.h"
#include "nodes/queue.h"
#include "nodes/reservation.h"
#include "nodes/schedule.h"
#include "nodes/shapes.h"
#include "nodes/snapshot.h"

namespace berth::nodes {

struct SchedulingOptions {
  std::vector<Profile> profiles;  // Of different names.
  QueueOptions queue = {};
};

// Both clocks of one moment.
struct Now {
  Instant instant;
  Time time;
};

struct PodName {
  api::ObjectKey key;
  std::string uid;
  std::string scheduler;  // Whose profile decided.
  int attempts = 0;
  Duration waited = {};  // Since it was first seen.
};

struct BindPod {
  PodName pod;
  std::string node;
  std::string claim = {};                   // Uid of the reservation; empty: none.
  std::vector<std::string> unweighed = {};  // Preferences that were passed over.
  std::size_t evaluated = 0;
  std::size_t feasible = 0;
};

struct RefusePod {
  PodName pod;
  std::string message;
  std::vector<std::string_view> filters = {};
};

// A pod with scheduling gates: told once.
struct GatedPod {
  PodName pod;
  std::string message;
};

using NextStep = std::variant<BindPod, RefusePod, GatedPod>;

class Scheduling {
 public:
  explicit Scheduling(SchedulingOptions options);

  // What is wrong with the node's annotations, if that is news.
  Result<std::vector<std::string>> put_node(const json::Value& node);
  void remove_node(std::string_view name);
  Status put_pod(const json::Value& pod, Now now);
  void remove_pod(std::string_view uid);
  Status put_reservation(const json::Value& reservation, Now now);
  void remove_reservation(std::string_view uid);
  void put_replica_set(const json::Value& replica_set);
  void remove_replica_set(std::string_view uid);

  // Nothing when nobody can be tried now. Then next_due() says when to ask again at the latest.
  std::optional<NextStep> next(Now now);
  std::optional<Instant> next_due() const { return queue_.next_due(); }
  std::optional<Time> next_expiry() const { return snapshot_.next_expiry(); }

  // Ends holds whose time is over.
  void expire(Now now);

  // Somebody else has chosen the node that the facts name, and the binding begins.
  void assume(const PodFacts& pod);

  // The server has bound it; the watch will say so too.
  void on_bound(const std::string& uid);

  // It has not: the room is free again, and the pod is tried later.
  void on_bind_failed(const std::string& uid, Now now);

  const Snapshot& snapshot() const { return snapshot_; }
  QueueCounts counts() const { return queue_.counts(); }
  std::size_t assumed() const { return assumed_.size(); }

  // Whether a binding is under way of which neither answer nor watch has said how it ended.
  bool is_binding(std::string_view uid) const;
  std::vector<std::string> pod_uids() const;  // All that are known, bound or waiting.

 private:
  struct Waiting {
    PendingPod pod;
    const Profile* profile;
    std::uint64_t fingerprint;
    bool only_itself_helps = false;  // Something of its spec is not supported.
    bool reads_cluster = false;
  };

  const Profile* profile_of(std::string_view scheduler) const;
  void put_waiting(const json::Value& object, PodFacts facts, const Profile& profile, Now now);
  void drop_waiting(const std::string& uid);
  void note(const std::vector<Snapshot::NodeChange>& changes);
  void wake_helped(Now now);
  PodName name_of(const std::string& uid, const Waiting& waiting, Now now) const;
  NextStep decide(const std::string& uid, Waiting& waiting, Now now);
  RefusePod refuse(const std::string& uid, Waiting& waiting, const Cycle& cycle, Now now);
  std::optional<NextStep> next_gated(Now now);

  std::vector<Profile> profiles_;
  Snapshot snapshot_;
  SchedulingQueue queue_;
  Shapes shapes_;
  Cursor cursor_;
  std::map<std::string, Waiting, std::less<>> waiting_;  // By uid; until they are bound.

  // Pods that count as bound before the watch says so. What it says of them until then is old.
  enum class Binding : std::uint8_t { UnderWay, Done };
  std::map<std::string, Binding, std::less<>> assumed_;  // By uid.

  std::set<std::string> gated_untold_;
  std::set<NodeSlot> touched_;  // Nodes where something may have opened.
  std::set<std::string, std::less<>> owners_touched_;
};

}  // namespace berth::nodes
