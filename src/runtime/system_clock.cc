#include "runtime/system_clock.h"

#include <cerrno>
#include <ctime>

#include <sys/random.h>

#include "base/check.h"

namespace berth::runtime {
namespace {

timespec read_clock(clockid_t clock) {
  timespec reading;
  CHECK(::clock_gettime(clock, &reading) == 0);
  return reading;
}

}  // namespace

Time SystemClock::now() const {
  const timespec reading = read_clock(CLOCK_REALTIME);
  return Time::from_unix(reading.tv_sec, static_cast<std::int32_t>(reading.tv_nsec));
}

Instant SystemClock::monotonic() const {
  const timespec reading = read_clock(CLOCK_BOOTTIME);
  return Instant(std::chrono::seconds(reading.tv_sec) + std::chrono::nanoseconds(reading.tv_nsec));
}

void SystemEntropy::fill(std::span<char> bytes) {
  while (!bytes.empty()) {
    const ssize_t filled = ::getrandom(bytes.data(), bytes.size(), 0);
    if (filled < 0 && errno == EINTR) continue;
    CHECK(filled > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(filled));
  }
}

}  // namespace berth::runtime
