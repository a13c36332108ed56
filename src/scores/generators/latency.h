// From the times of some runs to one score.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/time.h"
#include "scores/generators/generator.h"

namespace berth::scores {

// How long each part of one run took; zero for a part that the method does not have.
struct Timings {
  Duration resolve = Duration::zero();
  Duration connect = Duration::zero();
  Duration tls = Duration::zero();
  Duration first_byte = Duration::zero();  // From the request to the first byte of the answer.

  bool operator==(const Timings&) const = default;
};

// The part that counts, in milliseconds. The total leaves the name's resolution out, which some
// cache answers most of the time, unless resolving is all there is to measure.
double measured_millis(const Timings& timings, const Latency& latency);

// What a failed run counts as under OnError::Worst: 100, or the upper bound of the normaliser.
double worst_millis(const Latency& latency);

// The runs of one round; nullopt is one that failed. Nothing when all failed and are to be skipped.
std::optional<double> round_millis(std::span<const std::optional<double>> runs,
                                   const Latency& latency);

std::int32_t latency_score(double millis, const Latency& latency);

}  // namespace berth::scores
