// CHECK: invariants that stay on in release builds. A broken one ends the process with its place.

#pragma once

namespace berth {

// Prints the broken condition with its place to stderr and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace berth

// Only for what our own code guarantees. Input from users, agents or the network is never CHECKed.
#define CHECK(condition)                                     \
  do {                                                       \
    if (!(condition)) [[unlikely]]                           \
      ::berth::check_failed(#condition, __FILE__, __LINE__); \
  } while (false)
