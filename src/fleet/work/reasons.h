// Several reasons as one, as Go's programs in the ecosystem write them.

#pragma once

#include <string>
#include <vector>

namespace berth::fleet {

// "a" alone, "[a, b]" for several; each once.
std::string aggregate(const std::vector<std::string>& messages);

}  // namespace berth::fleet
