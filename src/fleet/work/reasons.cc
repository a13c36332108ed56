#include "fleet/work/reasons.h"

#include <algorithm>

#include "base/strings.h"

namespace berth::fleet {

std::string aggregate(const std::vector<std::string>& messages) {
  std::vector<std::string> once;
  for (const std::string& message : messages) {
    if (std::ranges::find(once, message) == once.end()) once.push_back(message);
  }
  return once.size() == 1 ? once.front() : "[" + join(once, ", ") + "]";
}

}  // namespace berth::fleet
