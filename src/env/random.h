// Unpredictable bytes: seeds, uids, secrets.

#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace berth::env {

// Thread-safe.
class Entropy {
 public:
  virtual ~Entropy() = default;

  virtual void fill(std::span<char> bytes) = 0;
};

// For a base Random of one's own.
std::uint64_t new_seed(Entropy& entropy);

// A random UUID (version 4) as Kubernetes writes uids: 36 characters, lower case.
std::string new_uuid(Entropy& entropy);

}  // namespace berth::env
