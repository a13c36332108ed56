#include "base/random.h"

#include <bit>

#include "base/check.h"
#include "base/hash.h"

namespace berth {

Random::Random(std::uint64_t seed) : seed_(seed) {
  for (std::uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    word = mixed ^ (mixed >> 31);
  }
}

Random Random::stream(std::string_view name) const { return Random(hash64(name, seed_)); }

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  CHECK(bound > 0);
  // Numbers below the threshold would make some results likelier than others; draw again.
  const std::uint64_t threshold = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t number = next();
    if (number >= threshold) return number % bound;
  }
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  CHECK(low <= high);
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = span == 0 ? next() : below(span);  // 0: the whole range of 64 bits.
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

}  // namespace berth
