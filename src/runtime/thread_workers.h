// A pool of threads for pure functions.

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "env/workers.h"
#include "runtime/mutex.h"

namespace berth::runtime {

// The caller always works too, so zero threads are fine. Several callers share the threads.
class ThreadWorkers final : public env::Workers {
 public:
  explicit ThreadWorkers(std::size_t threads);
  ~ThreadWorkers() override;

  void for_each(std::size_t n, const std::function<void(std::size_t)>& f) override;

 private:
  struct Job;

  void work();
  std::shared_ptr<Job> next_job();

  Mutex mutex_;
  Condition changed_;
  std::deque<std::shared_ptr<Job>> jobs_ __attribute__((guarded_by(mutex_)));
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::vector<std::jthread> threads_;
};

}  // namespace berth::runtime
