// Follows the nodes and pods of a cluster and says what room it has, as long as it is sure.

#pragma once

#include "base/time.h"
#include "client/api_service.h"
#include "control/followed_room_service.h"
#include "env/env.h"
#include "env/metrics.h"
#include "scores/score_status.h"
#include "scores/usage/resource_usage.h"

namespace berth::scores {

class ClusterUsage {
 public:
  struct Trust {
    Duration validity;     // Of scores.
    Duration silence_max;  // So old may be the proof that all of it is known.
  };

  // `changed` is called on the loop whenever the scores may have changed. Starts at once. The Api
  // outlives this.
  ClusterUsage(const env::Env& env, client::Api& cluster, UsageOptions options, Trust trust,
               env::Task changed);

  // Scores while the cluster is heard of; silent while it is read for the first time. If it can not
  // be reached any more, the scores hold from when it was last heard, then no longer.
  Report report(Time now) const;

  bool has_synced() const { return room_.has_synced(); }
  const ResourceUsage& usage() const { return usage_; }

 private:
  void on_changed();

  env::Env env_;
  ResourceUsage usage_;
  Trust trust_;
  env::Task changed_;
  Instant started_;
  env::Counter& changes_;
  env::Gauge& nodes_gauge_;
  env::Gauge& pods_gauge_;
  control::FollowedRoom<ResourceUsage> room_;
};

}  // namespace berth::scores
