// From the numbers of a fleet to the scores of its clusters.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "scores/sources/fleet_samples.h"
#include "scores/sources/score_source.h"

namespace berth::scores {

// Without a normaliser the number is the score, rounded and limited. Between bounds each cluster is
// scored for itself. A range or ranks are those of the clusters in `measured`: when one number
// changes, the scores of all may. Where all numbers are equal, so are the scores: in the middle.
std::map<std::string, std::int32_t> score_fleet(const std::map<std::string, Measurement>& measured,
                                                const std::optional<FleetNormaliser>& normaliser);

}  // namespace berth::scores
