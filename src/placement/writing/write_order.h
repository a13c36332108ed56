// In which order PlacementDecisions are rewritten so that no reader misses a cluster which only
// moves from one to another.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace berth::placement {

struct Rewrite {
  std::vector<std::string> before = {};  // Cluster names.
  std::vector<std::string> after = {};
};

// Indices of the rewrites in the order to write them: an object that gets a cluster comes before
// the one that loses it, otherwise the given order stays. Where clusters change places in a circle
// no order helps; the circle is then cut at its first object.
std::vector<std::size_t> growing_first(const std::vector<Rewrite>& rewrites);

}  // namespace berth::placement
