// OCM's kinds whose writes mean more than they say: joining a set, accepting a cluster, binding.

#pragma once

#include <map>
#include <string>

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

// By table.
std::map<std::string, Strategy, std::less<>> guarded_strategies();

}  // namespace berth::apiserver
