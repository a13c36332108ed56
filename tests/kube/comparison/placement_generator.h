// Random specs of Placements, sensible ones and wrong ones.

#pragma once

#include "base/random.h"
#include "json/value.h"

namespace berth::kube {

json::Value draw_placement_spec(Random& random);

// True: none of the scheduling stops for ever on it. Steady under a negative weight makes the
// reference drop what it has just chosen, again and again.
bool is_calm(const json::Value& spec);

}  // namespace berth::kube
