#include "scores/generators/pace.h"

#include <algorithm>

#include "base/check.h"

namespace berth::scores {

void Pace::begin(Instant now) {
  CHECK(due_.has_value());
  due_.reset();
  if (done_ == 0) round_began_ = now;
}

bool Pace::end(Instant now, double draw) {
  CHECK(!due_.has_value());
  if (++done_ < options_.runs) {
    due_ = now + options_.wait_between_runs;
    return false;
  }
  done_ = 0;
  const auto spread = std::chrono::duration_cast<Duration>(options_.interval * (0.9 + 0.2 * draw));
  due_ = std::max(now, round_began_ + spread);
  return true;
}

}  // namespace berth::scores
