// Draws random small fleets and edits of them: everything that placement reads, in sensible and in
// odd shapes. The same seed draws the same, whatever the time is and whatever becomes of it.
//
// Left out, because the reference has no one answer there: a negative weight for Steady together
// with a number of clusters (it changes its mind for ever), a negative number of clusters (it
// crashes), more than one wrong weight in a placement (it reports any), sets that cannot be read
// (it stops deciding for everybody).

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "kube/comparison/objects.h"

namespace berth::kube {

// Where everything happens. Scores are in namespaces named after clusters.
inline constexpr const char* kPlacementNamespaces[] = {"ns1", "ns2"};
inline constexpr int kClustersMax = 30;
std::string cluster_name(int number);  // Below kClustersMax.

class FleetGenerator {
 public:
  // All times in the fleet are `start` and something that is drawn.
  FleetGenerator(std::uint64_t seed, Time start) : random_(seed), start_(start) {}

  // The writes that make a new fleet on an empty hub.
  std::vector<Edit> new_fleet();

  // One write that changes the fleet. The decision that somebody tampers with may not be there.
  Edit next_edit();

 private:
  Random random_;
  Time start_;
  Objects objects_;  // What all edits so far have made.
};

}  // namespace berth::kube
