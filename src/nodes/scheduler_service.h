// A scheduler for pods that name it: follows the cluster, decides, binds, and tells.
//
//   ClusterFeed --what changes--> Scheduling --next()--> Binder --how it ended--> Scheduling
//                                                   \--> Teller: conditions, events

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "control/committer_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "nodes/binder_service.h"
#include "nodes/cluster_feed_service.h"
#include "nodes/scheduler_metrics_service.h"
#include "nodes/scheduling.h"
#include "nodes/teller_service.h"

namespace berth::nodes {

struct SchedulerOptions {
  SchedulingOptions scheduling;
  std::string instance = "berth";   // Names this process in events.
  std::size_t in_flight_max = 128;  // Bindings and conditions that are being written.
};

class SchedulerService {
 public:
  // Starts at once. All that is borrowed outlives the service.
  SchedulerService(const env::Env& env, client::Api& api, client::Api& events,
                   control::MayWrite may_write, SchedulerOptions options);

  bool has_synced() const { return feed_.has_synced(); }

  // Nothing is being written, and nobody can be tried now.
  bool is_idle() const;
  const Scheduling& scheduling() const { return scheduling_; }

 private:
  Now now() const { return {env_.clock.monotonic(), env_.clock.now()}; }
  std::size_t in_flight() const { return binder_.in_flight() + teller_.in_flight(); }
  void pump_soon();
  void pump();
  void arm();
  void bind(const BindPod& step);
  void on_bound(const BindPod& step, Instant began, const Binder::Ended& ended);

  env::Env env_;
  control::MayWrite may_write_;
  std::size_t in_flight_max_;
  Scheduling scheduling_;
  SchedulerMetrics metrics_;
  Teller teller_;
  Binder binder_;
  bool posted_ = false;
  env::Timer timer_ = {};
  ClusterFeed feed_;  // Late: it tells everything else what changed.
  env::Scope scope_;
};

}  // namespace berth::nodes
