// Threads for pure functions.

#pragma once

#include <cstddef>
#include <functional>

#include "base/parallel_for.h"

namespace berth::env {

class Workers {
 public:
  virtual ~Workers() = default;

  // The contract of ParallelFor. Blocks the caller, which works too. Not to be called from inside
  // f.
  virtual void for_each(std::size_t n, const std::function<void(std::size_t)>& f) = 0;
};

// For pure code, which may not know this header. The workers outlive the result.
inline ParallelFor parallel_for(Workers& workers) {
  return [&workers](std::size_t n, const std::function<void(std::size_t)>& f) {
    workers.for_each(n, f);
  };
}

}  // namespace berth::env
