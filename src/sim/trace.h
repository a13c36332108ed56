// A fingerprint of everything that happened in a world: equal runs have equal traces.

#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "base/time.h"

namespace berth::sim {

class Trace {
 public:
  std::uint64_t value() const { return hash_; }

  // What happened, to whom, and with which numbers or bytes.
  void add(std::string_view what, const auto&... details) {
    mix(what);
    (mix(details), ...);
  }

 private:
  void mix(std::string_view bytes) {
    mix(bytes.size());
    hash_ = hash64(bytes, hash_);
  }
  void mix(Duration length) { mix(length.count()); }
  void mix(std::integral auto number) {
    const auto bytes = std::bit_cast<std::array<char, sizeof number>>(number);
    hash_ = hash64({bytes.data(), bytes.size()}, hash_);
  }

  std::uint64_t hash_ = kHashStart;
};

}  // namespace berth::sim
