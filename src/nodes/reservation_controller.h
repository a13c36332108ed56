// Keeps the room of pods that are being rebuilt: follows workloads and their pods, and makes,
// updates and removes PodReservations. What to do is Rebuilding's to say; nothing that this process
// remembers is needed by the next one.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "client/api_service.h"
#include "client/discovery_service.h"
#include "client/follower_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "control/recorder_service.h"
#include "control/served_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "nodes/rebuilding.h"

namespace berth::nodes {

class ReservationController {
 public:
  // Waits until the server knows PodReservations. All that is borrowed outlives the controller.
  ReservationController(const env::Env& env, client::Api& api, control::RecorderService& recorder,
                        control::MayWrite may_write, RebuildOptions options = {});

  // All is known, or the server has no PodReservations: then there is nothing to do.
  bool is_settled() const { return has_synced() || served_.is_missing(); }
  bool has_synced() const;
  bool is_idle() const { return is_settled() && reconciler_.is_idle(); }
  const Rebuilding& rebuilding() const { return rebuilding_; }

 private:
  void follow();
  client::FollowerListener listener(RebuildKind kind);
  void put(RebuildKind kind, const client::Object& object);
  void on_changed();
  void read_scale(const RootOwner& owner, const std::string& ns);
  void work(const std::string& root_uid);
  void warn(const RebuildSteps::Remark& remark, std::string reason, std::string note);
  void submit(const std::string& root_uid, control::Change change, const Reservation* made);
  void on_written(const std::string& root_uid, const Status& status);

  // The writes about one workload that are under way.
  struct Writes {
    std::size_t open = 0;
    Status status = {};
  };

  env::Env env_;
  client::Api& api_;
  control::RecorderService& recorder_;
  Rebuilding rebuilding_;
  control::Committer committer_;
  client::DiscoveryService discovery_;
  control::Reconciler<std::string> reconciler_;  // By the root's uid.
  std::map<std::string, Writes> writes_;
  std::map<RebuildKind, std::unique_ptr<client::Follower>> followers_;
  bool started_ = false;
  control::ServedService served_;
  env::Scope scope_;
};

}  // namespace berth::nodes
