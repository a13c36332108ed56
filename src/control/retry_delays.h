// How long a key waits after a failure: longer each time, and never too many retries at once.

#pragma once

#include <map>

#include "base/time.h"

namespace berth::control {

struct RetryDelayOptions {
  Duration first = std::chrono::milliseconds(5);
  Duration most = std::chrono::seconds(1000);
};

// Doubles per failure of the same key, as client-go's controllers do.
template <typename Key>
class RetryDelays {
 public:
  explicit RetryDelays(RetryDelayOptions options = {}) : options_(options) {}

  // The delay after one more failure of this key.
  Duration next(const Key& key) {
    int& failures = failures_[key];
    Duration delay = options_.first;
    for (int i = 0; i < failures && delay < options_.most; ++i) delay *= 2;
    ++failures;
    return delay < options_.most ? delay : options_.most;
  }

  void reset(const Key& key) { failures_.erase(key); }

  int failures(const Key& key) const {
    const auto found = failures_.find(key);
    return found == failures_.end() ? 0 : found->second;
  }

 private:
  RetryDelayOptions options_;
  std::map<Key, int> failures_;
};

}  // namespace berth::control
