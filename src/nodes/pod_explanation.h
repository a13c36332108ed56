// Why a pod gets a node or not, in words: for `berth explain pod`.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "nodes/cycle.h"
#include "nodes/profile.h"

namespace berth::nodes {

// Every node on a line, the best first, then those that are refused by name.
std::string explain_pod(const Cycle& cycle, const Profile& profile);

// One node in full: what refuses the pod, each score, and the room that is held there, for whom and
// until when. NotFound if there is no such node.
Result<std::string> explain_pod_on(const Cycle& cycle, const Profile& profile,
                                   std::string_view node);

}  // namespace berth::nodes
