// Where the kinds that placement reads are served.

#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "client/resource.h"
#include "placement/situation.h"

namespace berth::placement {

inline constexpr std::array kWatched = {Watched::Clusters, Watched::Sets,       Watched::Bindings,
                                        Watched::Scores,   Watched::Placements, Watched::Decisions};

client::Gvr resource_of(Watched kind);

// For control::Followed.
using WatchedResource = std::pair<Watched, client::Gvr>;
std::vector<WatchedResource> resources_of(std::span<const Watched> kinds);

}  // namespace berth::placement
