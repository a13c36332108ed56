// The smallest change that would make a placement choose a cluster which it does not choose now.

#pragma once

#include <string>
#include <vector>

#include "placement/deciding/schedule.h"
#include "placement/request.h"

namespace berth::placement {

// What has to change about the cluster's rank, assuming that the filters let it pass: nothing when
// it would be chosen then. Found by scheduling again with the cluster among the feasible ones.
std::vector<std::string> rank_remedies(const Request& request, const Schedule& schedule,
                                       ClusterIndex cluster);

}  // namespace berth::placement
