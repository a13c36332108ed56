// Rule: files, functions, lines and interfaces stay small.

#pragma once

#include <vector>

#include "tidy/source.h"

namespace berth::tidy {

std::vector<Finding> check_budgets(const Source& source);

}  // namespace berth::tidy
