// What the scheduler counts, under kube-scheduler's names.

#pragma once

#include <map>
#include <string>
#include <utility>

#include "env/metrics.h"
#include "nodes/scheduling.h"

namespace berth::nodes {

class SchedulerMetrics {
 public:
  explicit SchedulerMetrics(env::Metrics& metrics);

  // One try of one pod: "scheduled", "unschedulable" or "error".
  void on_attempt(const std::string& profile, const std::string& result, Duration took);
  void on_scheduled(const PodName& pod, Duration took);
  void show(const Scheduling& scheduling);

 private:
  struct Attempts {
    env::Counter& count;
    env::Histogram& duration;
  };

  Attempts& attempts(const std::string& profile, const std::string& result);

  env::Metrics& metrics_;
  std::map<std::pair<std::string, std::string>, Attempts> attempts_;
  std::map<int, env::Histogram*> waits_;  // By attempts.
  env::Histogram& tries_;
  env::Gauge& active_;
  env::Gauge& backing_off_;
  env::Gauge& unschedulable_;
  env::Gauge& gated_;
  env::Gauge& nodes_;
  env::Gauge& pods_;
  env::Gauge& assumed_;
  env::Gauge& holds_;
};

}  // namespace berth::nodes
