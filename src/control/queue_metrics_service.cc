#include "control/queue_metrics_service.h"

#include <string>
#include <vector>

namespace berth::control {
namespace {

env::Series series(std::string name, std::string help, std::string_view queue) {
  return {
      .name = std::move(name), .help = std::move(help), .labels = {{"name", std::string(queue)}}};
}

// Client-go's, so that graphs of both can be laid over each other: 10 ns to 10 s.
std::vector<double> buckets() { return {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10}; }

double seconds(Duration length) { return std::chrono::duration<double>(length).count(); }

}  // namespace

QueueMetrics::QueueMetrics(env::Metrics& metrics, std::string_view queue)
    : depth_(metrics.gauge(series("workqueue_depth", "Keys that wait for a worker.", queue))),
      adds_(metrics.counter(series("workqueue_adds_total", "Keys that were added.", queue))),
      queue_duration_(
          metrics.histogram(series("workqueue_queue_duration_seconds",
                                   "Time from a key's being due to the start of work.", queue),
                            buckets())),
      work_duration_(metrics.histogram(
          series("workqueue_work_duration_seconds", "Time that work on a key took.", queue),
          buckets())),
      unfinished_(metrics.gauge(series("workqueue_unfinished_work_seconds",
                                       "Age of all work that has not ended, added up.", queue))),
      longest_(metrics.gauge(series("workqueue_longest_running_processor_seconds",
                                    "Age of the oldest work that has not ended.", queue))),
      retries_(metrics.counter(
          series("workqueue_retries_total", "Keys that were put off to a later time.", queue))) {}

void QueueMetrics::taken(Duration waited) { queue_duration_.observe(seconds(waited)); }

void QueueMetrics::finished(Duration worked) { work_duration_.observe(seconds(worked)); }

void QueueMetrics::in_hand(const WorkInHand& work) {
  unfinished_.set(seconds(work.total));
  longest_.set(seconds(work.longest));
}

}  // namespace berth::control
