#include "scores/publish_timing.h"

#include <algorithm>

namespace berth::scores {
namespace {

// `length` times a random factor from `low` to 1.
Duration scaled(Duration length, double low, Random& random) {
  const double factor = low + (1 - low) * random.unit();
  return Duration(static_cast<Duration::rep>(static_cast<double>(length.count()) * factor));
}

}  // namespace

Status check_publish_times(const PublishTimes& times) {
  const bool positive = std::min({times.refresh, times.validity, times.change_interval,
                                  times.retry_first, times.retry_max}) > Duration::zero();
  if (!positive) return failure(Code::Invalid, "all times have to be above 0");
  if (times.validity <= times.refresh) {
    return failure(Code::Invalid,
                   "scores have to be valid for longer than the time between two refreshes");
  }
  if (!(times.jitter >= 0 && times.jitter <= 0.5)) {
    return failure(Code::Invalid, "the jitter has to be from 0 to 0.5");
  }
  return {};
}

PublishTiming::PublishTiming(const PublishTimes& times, Random random)
    : times_(times), random_(random) {}

void PublishTiming::on_changed(Instant now) {
  writes_change_ = true;
  if (retry_delay_) return;
  const Instant allowed = changed_at_ ? *changed_at_ + times_.change_interval : now;
  due_ = std::min(due_, std::max(now, allowed));
}

void PublishTiming::hurry(Instant now) {
  if (!retry_delay_) due_ = std::min(due_, now);
}

void PublishTiming::on_written(Instant now) {
  if (writes_change_) changed_at_ = now;
  schedule_refresh(now);
}

void PublishTiming::on_nothing_to_write(Instant now) { schedule_refresh(now); }

void PublishTiming::on_failed(Instant now) {
  retry_delay_ = retry_delay_ ? std::min(*retry_delay_ * 2, times_.retry_max) : times_.retry_first;
  due_ = now + scaled(*retry_delay_, 0.5, random_);
}

void PublishTiming::schedule_refresh(Instant now) {
  writes_change_ = false;
  retry_delay_ = std::nullopt;
  due_ = now + scaled(times_.refresh, 1 - times_.jitter, random_);
}

}  // namespace berth::scores
