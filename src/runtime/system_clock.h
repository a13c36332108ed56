// The real clocks, and real entropy.

#pragma once

#include <span>

#include "env/clock.h"
#include "env/random.h"

namespace berth::runtime {

class SystemClock final : public env::Clock {
 public:
  Time now() const override;
  Instant monotonic() const override;  // CLOCK_BOOTTIME: counts while the machine sleeps.
};

class SystemEntropy final : public env::Entropy {
 public:
  void fill(std::span<char> bytes) override;
};

}  // namespace berth::runtime
