// Makes kube-scheduler ask again about pods that were refused, when what stood in their way is
// gone.
//
// It tries such a pod again when it sees something happen to nodes or pods. Reservations it does
// not see, and of a node it may hear before we do: then the pod would wait for kube-scheduler's
// next round, for minutes. But a change of the pod itself makes it ask, so the pod is told, by a
// condition.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "client/api_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "nodes/cycle.h"
#include "nodes/snapshot.h"

namespace berth::nodes {

inline constexpr std::string_view kRoomReleased = "reserve.berth.dev/RoomReleased";

class Reminder {
 public:
  // All that is borrowed outlives the reminder.
  Reminder(const env::Env& env, client::Api& api, const Snapshot& snapshot);

  // Held room on these nodes was in the way of the pod. What was said of it before is forgotten.
  void note(const PendingPod& pod, std::vector<std::string> nodes);
  void forget(std::string_view uid);

  // The snapshot is another one now: pods that this helps are told soon.
  void on_changed();

 private:
  struct Refused {
    PendingPod pod;
    std::vector<std::string> nodes;
  };

  void arm(Duration delay);
  void look();
  void remind(const Refused& refused, const std::string& node);

  env::Env env_;
  client::Api& api_;
  const Snapshot& snapshot_;
  std::map<std::string, Refused, std::less<>> refused_;  // By uid.
  bool is_armed_ = false;
  env::Timer timer_ = {};
  env::Counter& reminders_;
  env::Scope scope_;
};

}  // namespace berth::nodes
