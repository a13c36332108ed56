// Published: the newest of a row of immutable values, for readers on any thread.

#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace berth::env {

// A reader gets a whole value, the newest or one that was the newest a moment ago, and keeps it for
// as long as it likes. What was published before, or by whoever told the reader of it, is seen.
//
// The lock is held for one copy of a pointer. (libstdc++ 12's std::atomic<std::shared_ptr> is a
// lock as well, and one that thread checkers reject: its load releases without ordering.)
template <typename T>
class Published {
 public:
  using Value = std::shared_ptr<const T>;

  explicit Published(Value first) : value_(std::move(first)) {}
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;

  Value read() const {
    const std::scoped_lock lock(mutex_);
    return value_;
  }

  void publish(Value value) {
    {
      const std::scoped_lock lock(mutex_);
      value_.swap(value);
    }
    // The old value dies here, outside of the lock.
  }

 private:
  mutable std::mutex mutex_;
  Value value_;  // Guarded by mutex_.
};

}  // namespace berth::env
