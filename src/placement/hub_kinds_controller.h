// Where the kinds that placement reads are served.

#pragma once

#include <array>

#include "client/resource.h"
#include "placement/situation.h"

namespace berth::placement {

inline constexpr std::array kWatched = {Watched::Clusters, Watched::Sets,       Watched::Bindings,
                                        Watched::Scores,   Watched::Placements, Watched::Decisions};

client::Gvr resource_of(Watched kind);

}  // namespace berth::placement
