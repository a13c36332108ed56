// The workqueue_* series of one queue, with the names and meanings that client-go gives them.

#pragma once

#include <cstddef>
#include <string_view>

#include "base/time.h"
#include "control/work_queue.h"
#include "env/metrics.h"

namespace berth::control {

class QueueMetrics {
 public:
  QueueMetrics(env::Metrics& metrics, std::string_view queue);

  void added(std::size_t keys) { adds_.add(static_cast<double>(keys)); }
  void put_off() { retries_.increment(); }
  void taken(Duration waited);
  void finished(Duration worked);
  void ready(std::size_t keys) { depth_.set(static_cast<double>(keys)); }
  void in_hand(const WorkInHand& work);

 private:
  env::Gauge& depth_;
  env::Counter& adds_;
  env::Histogram& queue_duration_;
  env::Histogram& work_duration_;
  env::Gauge& unfinished_;
  env::Gauge& longest_;
  env::Counter& retries_;
};

}  // namespace berth::control
