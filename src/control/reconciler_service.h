// The loop of every controller: keys that are due are worked on, so many at a time; what failed
// comes again later and later.

#pragma once

#include <algorithm>
#include <compare>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/time.h"
#include "control/measured_queue_service.h"
#include "control/retry_delays.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::control {

template <std::three_way_comparable Key>
class Reconciler {
 public:
  // Begins to work on the key. finish(key), or finish_unsettled(key), has to follow, now or later,
  // exactly once.
  using Work = std::function<void(const Key&)>;

  // `name` is what the queue is called in the workqueue_* metrics.
  Reconciler(const env::Env& env, std::string_view name, std::size_t in_work_max, Work work)
      : env_(env), in_work_max_(in_work_max), work_(std::move(work)), queue_(env_, name) {}

  // Before that keys only gather.
  void start() {
    started_ = true;
    wake_soon();
  }

  void add(const Key& key) { add_after(key, Duration::zero()); }

  void add_after(const Key& key, Duration delay) {
    queue_.add_at(key, env_.clock.monotonic() + delay);
    if (delay <= Duration::zero()) {
      wake_soon();
    } else if (started_) {
      arm();
    }
  }

  void finish(const Key& key, const Status& status = {}) {
    if (!status.ok()) return finish_unsettled(key);
    retries_.reset(key);
    end(key);
  }

  // Ends the work, too: what was done may not be the last, though nothing else has changed. The key
  // comes again as after a failure, so that what never settles becomes rare.
  void finish_unsettled(const Key& key) {
    queue_.add_at(key, env_.clock.monotonic() + retries_.next(key));
    end(key);
  }

  // The work on the key goes on in pieces, for long, and keeps no other key from being begun.
  void set_aside(const Key& key) {
    aside_.insert(key);
    wake_soon();
  }

  // Nothing is in work and nothing due.
  bool is_idle() const {
    const auto due = queue_.next_due();
    return started_ && queue_.stats().in_work == 0 && (!due || *due > env_.clock.monotonic());
  }

  const MeasuredQueue<Key>& queue() const { return queue_; }

 private:
  void end(const Key& key) {
    aside_.erase(key);
    queue_.done(key);
    wake_soon();
  }

  bool is_full() const { return queue_.stats().in_work - aside_.size() >= in_work_max_; }

  // Once for all that this turn of the loop brings, and never from inside a caller.
  void wake_soon() {
    if (!started_ || std::exchange(posted_, true)) return;
    env_.loop.post(scope_.guard([this] {
      posted_ = false;
      pump();
    }));
  }

  // A few in one turn of the loop: what they send should leave before the next are begun.
  void pump() {
    for (std::size_t i = 0; i < kBatch; ++i) {
      if (is_full()) return arm();
      const auto item = queue_.pop();
      if (!item) return arm();
      work_(item->key);
    }
    wake_soon();
  }

  void arm() {
    timer_.cancel();
    const auto due = queue_.next_due();
    if (!due || is_full()) return;  // finish() wakes.
    timer_ = env_.loop.at(std::max(*due, env_.clock.monotonic()), scope_.guard([this] { pump(); }));
  }

  static constexpr std::size_t kBatch = 8;

  env::Env env_;
  std::size_t in_work_max_;
  Work work_;
  MeasuredQueue<Key> queue_;
  RetryDelays<Key> retries_;
  std::set<Key> aside_ = {};
  bool started_ = false;
  bool posted_ = false;
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::control
