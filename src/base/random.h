// Seeded pseudo-random numbers: the same seed gives the same numbers on every machine and compiler.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace berth {

// xoshiro256** (Blackman and Vigna), seeded through SplitMix64. Not for secrets.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  // A generator of its own for one subsystem. It depends on the seed and the name only, so a
  // further draw in one place never changes what another place sees.
  Random stream(std::string_view name) const;

  std::uint64_t next();
  std::uint64_t below(std::uint64_t bound);                   // Uniform in [0, bound); bound > 0.
  std::int64_t between(std::int64_t low, std::int64_t high);  // Uniform in [low, high].
  double unit();                                              // Uniform in [0, 1).
  bool chance(double probability) { return unit() < probability; }

 private:
  std::uint64_t seed_;
  std::array<std::uint64_t, 4> state_;
};

}  // namespace berth
