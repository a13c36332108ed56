// Rule: what decides is pure. No clocks, threads, randomness, files or hash order in pure folders.

#pragma once

#include <vector>

#include "tidy/source.h"

namespace berth::tidy {

std::vector<Finding> check_purity(const Source& source);

}  // namespace berth::tidy
