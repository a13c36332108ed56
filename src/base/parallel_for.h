// A parallel loop as a value, so that pure code can be spread over threads it does not know.

#pragma once

#include <cstddef>
#include <functional>

namespace berth {

// Calls f(0) ... f(n-1), in any order, possibly at the same time, and returns when all are done. f
// is pure but for slot i of a result that nobody else touches, so the result cannot depend on the
// schedule.
using ParallelFor = std::function<void(std::size_t n, const std::function<void(std::size_t)>& f)>;

// One after the other.
inline void serial_for(std::size_t n, const std::function<void(std::size_t)>& f) {
  for (std::size_t i = 0; i < n; ++i) f(i);
}

}  // namespace berth
