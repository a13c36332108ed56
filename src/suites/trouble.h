// The answers of a server that has a bad moment.

#pragma once

#include <iterator>

#include "base/random.h"

namespace berth::suites {

// The status of one in thirty-three answers; 0: the server does what it was asked for.
inline int draw_trouble(Random& random) {
  constexpr int kTroubles[] = {429, 500, 503};
  return random.chance(0.03) ? kTroubles[random.below(std::size(kTroubles))] : 0;
}

}  // namespace berth::suites
