#include "runtime/thread_workers.h"

#include <algorithm>
#include <atomic>

namespace berth::runtime {

// Indexes are handed out in runs: few enough that the counter is no bottleneck, many enough that
// the threads end together.
struct ThreadWorkers::Job {
  std::size_t n;
  std::size_t run;
  const std::function<void(std::size_t)>& f;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;

  Job(std::size_t count, std::size_t run_length, const std::function<void(std::size_t)>& function)
      : n(count), run(run_length), f(function) {}

  bool has_work() const { return next.load(std::memory_order_relaxed) < n; }

  // True if this call finished the job.
  bool help() {
    bool finished = false;
    for (;;) {
      const std::size_t first = next.fetch_add(run, std::memory_order_relaxed);
      if (first >= n) return finished;
      const std::size_t last = std::min(first + run, n);
      for (std::size_t i = first; i < last; ++i) f(i);
      finished = done.fetch_add(last - first, std::memory_order_acq_rel) + (last - first) == n;
    }
  }
};

ThreadWorkers::ThreadWorkers(std::size_t threads) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

ThreadWorkers::~ThreadWorkers() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

void ThreadWorkers::for_each(std::size_t n, const std::function<void(std::size_t)>& f) {
  if (threads_.empty() || n < 2) return serial_for(n, f);
  constexpr std::size_t kRunsPerThread = 8;
  const std::size_t run = std::max<std::size_t>(n / ((threads_.size() + 1) * kRunsPerThread), 1);
  const auto job = std::make_shared<Job>(n, run, f);
  {
    const MutexLock lock(mutex_);
    jobs_.push_back(job);
  }
  changed_.notify_all();
  job->help();
  const MutexLock lock(mutex_);
  std::erase(jobs_, job);
  while (job->done.load(std::memory_order_acquire) < n) changed_.wait(mutex_);
}

std::shared_ptr<ThreadWorkers::Job> ThreadWorkers::next_job() {
  const MutexLock lock(mutex_);
  for (;;) {
    if (stopping_) return nullptr;
    const auto job = std::ranges::find_if(jobs_, [](const auto& each) { return each->has_work(); });
    if (job != jobs_.end()) return *job;
    changed_.wait(mutex_);
  }
}

void ThreadWorkers::work() {
  while (const auto job = next_job()) {
    if (!job->help()) continue;
    // Under the lock, so that the caller cannot miss it between its look and its wait.
    const MutexLock lock(mutex_);
    changed_.notify_all();
  }
}

}  // namespace berth::runtime
