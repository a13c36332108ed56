// When a publisher writes next: refreshes that do not all come at once, changes at once but not too
// often, retries later and later. A plain state machine; the clock and the randomness are passed
// in.

#pragma once

#include <chrono>
#include <optional>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"

namespace berth::scores {

struct PublishTimes {
  Duration refresh = std::chrono::seconds(60);  // At the latest. Up to `jitter` of it sooner.
  double jitter = 0.1;
  Duration validity = std::chrono::seconds(180);        // Of what is written.
  Duration change_interval = std::chrono::seconds(10);  // Between changes, except before the first.
  Duration retry_first = std::chrono::seconds(1);
  Duration retry_max = std::chrono::seconds(15);

  bool operator==(const PublishTimes&) const = default;
};

// All lengths positive, validity above refresh, jitter from 0 to 0.5.
Status check_publish_times(const PublishTimes& times);

class PublishTiming {
 public:
  PublishTiming(const PublishTimes& times, Random random);

  // When to look and write next. The first time is at once.
  Instant due() const { return due_; }

  // What is published differs from what is true. While writes fail, the retry comes first.
  void on_changed(Instant now);

  // Look soon, for another reason than changed values.
  void hurry(Instant now);

  void on_written(Instant now);
  void on_failed(Instant now);
  void on_nothing_to_write(Instant now);

 private:
  void schedule_refresh(Instant now);

  PublishTimes times_;
  Random random_;
  Instant due_ = {};
  bool writes_change_ = false;                          // The next write is due to a change.
  std::optional<Instant> changed_at_ = std::nullopt;    // When a change was last written.
  std::optional<Duration> retry_delay_ = std::nullopt;  // While writes fail: the last delay.
};

}  // namespace berth::scores
