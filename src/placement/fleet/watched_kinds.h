// The kinds that placement reads, and where they are served.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "api/group_version.h"

namespace berth::placement {

enum class Watched : std::uint8_t { Clusters, Sets, Bindings, Scores, Placements, Decisions };

inline constexpr std::array kWatched = {Watched::Clusters, Watched::Sets,       Watched::Bindings,
                                        Watched::Scores,   Watched::Placements, Watched::Decisions};

api::Gvr resource_of(Watched kind);

// For control::Followed.
using WatchedResource = std::pair<Watched, api::Gvr>;
std::vector<WatchedResource> resources_of(std::span<const Watched> kinds);

}  // namespace berth::placement
