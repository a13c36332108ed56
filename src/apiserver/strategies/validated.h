// The rules of built-in kinds, as strategies want them.

#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

using Check = decltype(Strategy::check);

// By table. Writes to the status are not looked at: it is the controllers' own.
std::map<std::string_view, Check> validators();

// A new Job selects its pods by its own uid. After the defaults, one of which copies labels.
Attempt<void> select_own_pods(json::Value& job, const json::Value* old, const Occasion& occasion);

}  // namespace berth::apiserver
