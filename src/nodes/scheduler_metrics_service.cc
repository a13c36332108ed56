// Tested by scheduler_service_test.cc.
#include "nodes/scheduler_metrics_service.h"

#include <algorithm>
#include <vector>

namespace berth::nodes {
namespace {

// More tries than that are one class: the values of labels come from a small closed set.
constexpr int kAttemptsShown = 15;

std::vector<double> doubling(double first, int count) {
  std::vector<double> bounds;
  for (int i = 0; i < count; ++i, first *= 2) bounds.push_back(first);
  return bounds;
}

env::Gauge& pending(env::Metrics& metrics, const char* queue) {
  return metrics.gauge(
      {"scheduler_pending_pods", "Pods that wait, by the queue they are in.", {{"queue", queue}}});
}

env::Gauge& cached(env::Metrics& metrics, const char* type) {
  return metrics.gauge({"scheduler_cache_size", "What the scheduler knows of.", {{"type", type}}});
}

double seconds(Duration length) { return std::chrono::duration<double>(length).count(); }

}  // namespace

SchedulerMetrics::SchedulerMetrics(env::Metrics& metrics)
    : metrics_(metrics),
      tries_(metrics.histogram(
          {"scheduler_pod_scheduling_attempts", "How many tries it took to schedule a pod."},
          {1, 2, 4, 8, 16})),
      active_(pending(metrics, "active")),
      backing_off_(pending(metrics, "backoff")),
      unschedulable_(pending(metrics, "unschedulable")),
      gated_(pending(metrics, "gated")),
      nodes_(cached(metrics, "nodes")),
      pods_(cached(metrics, "pods")),
      assumed_(cached(metrics, "assumed_pods")),
      holds_(metrics.gauge({"berth_scheduler_holds", "Room that is held, by whatever means."})) {}

SchedulerMetrics::Attempts& SchedulerMetrics::attempts(const std::string& profile,
                                                       const std::string& result) {
  const std::pair key(profile, result);
  const auto known = attempts_.find(key);
  if (known != attempts_.end()) return known->second;
  const std::map<std::string, std::string> labels{{"profile", profile}, {"result", result}};
  return attempts_
      .emplace(key, Attempts{.count = metrics_.counter({"scheduler_schedule_attempts_total",
                                                        "Tries to schedule a pod.", labels}),
                             .duration = metrics_.histogram(
                                 {"scheduler_scheduling_attempt_duration_seconds",
                                  "How long a try took, its binding included.", labels},
                                 doubling(0.001, 15))})
      .first->second;
}

void SchedulerMetrics::on_attempt(const std::string& profile, const std::string& result,
                                  Duration took) {
  Attempts& tried = attempts(profile, result);
  tried.count.increment();
  tried.duration.observe(seconds(took));
}

void SchedulerMetrics::on_scheduled(const PodName& pod, Duration took) {
  on_attempt(pod.scheduler, "scheduled", took);
  tries_.observe(pod.attempts);
  const int shown = std::min(pod.attempts, kAttemptsShown + 1);
  env::Histogram*& waits = waits_[shown];
  if (!waits) {
    waits = &metrics_.histogram(
        {"scheduler_pod_scheduling_sli_duration_seconds",
         "How long a pod waited from when it was first seen until it was bound.",
         {{"attempts", shown > kAttemptsShown ? "15+" : std::to_string(shown)}}},
        doubling(0.01, 20));
  }
  waits->observe(seconds(pod.waited + took));
}

void SchedulerMetrics::show(const Scheduling& scheduling) {
  const QueueCounts counts = scheduling.counts();
  active_.set(static_cast<double>(counts.active));
  backing_off_.set(static_cast<double>(counts.backing_off));
  unschedulable_.set(static_cast<double>(counts.unschedulable));
  gated_.set(static_cast<double>(counts.gated));
  nodes_.set(static_cast<double>(scheduling.snapshot().nodes().size()));
  pods_.set(static_cast<double>(scheduling.snapshot().pods()));
  assumed_.set(static_cast<double>(scheduling.assumed()));
  holds_.set(static_cast<double>(scheduling.snapshot().all_holds().size()));
}

}  // namespace berth::nodes
