// The list of filters and built-in prioritizers: a new one is one line here.

#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "placement/filter.h"
#include "placement/prioritizer.h"

namespace berth::placement {

// In the order in which they run.
std::span<const Filter* const> filters();

bool is_built_in_prioritizer(std::string_view name);

// Null for a name that is none.
std::shared_ptr<const Prioritizer> built_in_prioritizer(std::string_view name);

}  // namespace berth::placement
