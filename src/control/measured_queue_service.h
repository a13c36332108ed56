// A work queue that tells how it is doing, in the workqueue_* series that operators of Kubernetes'
// controllers graph.

#pragma once

#include <compare>
#include <optional>
#include <string_view>
#include <utility>

#include "control/queue_metrics_service.h"
#include "control/work_queue.h"
#include "env/clock.h"
#include "env/env.h"
#include "env/loop.h"

namespace berth::control {

// Lives on one loop. As WorkQueue, with the clock built in.
template <std::three_way_comparable Key>
class MeasuredQueue {
 public:
  using Item = typename WorkQueue<Key>::Item;

  // `name` tells the queues of a process apart: "placement".
  MeasuredQueue(const env::Env& env, std::string_view name)
      : clock_(env.clock), loop_(env.loop), metrics_(env.metrics, name) {}
  MeasuredQueue(const MeasuredQueue&) = delete;
  MeasuredQueue& operator=(const MeasuredQueue&) = delete;

  void add(const Key& key) { add_at(key, clock_.monotonic()); }

  // Later: counted as a retry, as client-go counts everything that is put off.
  void add_at(const Key& key, Instant due) {
    const bool is_new = queue_.add(key, due) == WorkQueue<Key>::Added::New;
    metrics_.added(is_new ? 1 : 0);
    if (due > clock_.monotonic()) metrics_.put_off();
    measure();
  }

  std::optional<Item> pop() {
    std::optional<Item> item = queue_.pop(clock_.monotonic());
    if (item) metrics_.taken(item->waited);
    measure();
    return item;
  }

  void done(const Key& key) {
    metrics_.finished(queue_.worked_on(key, clock_.monotonic()));
    queue_.done(key);
    measure();
  }

  void forget(const Key& key) {
    queue_.forget(key);
    measure();
  }

  std::optional<Instant> next_due() const { return queue_.next_due(); }
  WorkQueueStats stats() const { return queue_.stats(); }

 private:
  void measure() {
    queue_.advance(clock_.monotonic());
    metrics_.ready(queue_.stats().ready);
    const bool busy = queue_.stats().in_work > 0;
    if (busy == ticking_) return;
    ticking_ = busy;
    if (busy) return tick();
    timer_.cancel();
    metrics_.in_hand({});
  }

  // The age of what is in work, now and then: it changes all the time.
  void tick() {
    timer_ = env::after(loop_, clock_, kTick, [this] {
      metrics_.in_hand(queue_.in_hand(clock_.monotonic()));
      tick();
    });
  }

  static constexpr Duration kTick = std::chrono::milliseconds(500);

  env::Clock& clock_;
  env::Loop& loop_;
  QueueMetrics metrics_;
  WorkQueue<Key> queue_ = {};
  bool ticking_ = false;
  env::Timer timer_ = {};
};

}  // namespace berth::control
