#include "placement/registry.h"

#include <algorithm>

#include "placement/filters/predicate.h"
#include "placement/filters/taint_toleration.h"
#include "placement/prioritizers/agent_score.h"
#include "placement/prioritizers/balance.h"
#include "placement/prioritizers/resource_allocatable.h"
#include "placement/prioritizers/steady.h"

namespace berth::placement {

const Registry& built_in_plugins() {
  static const Registry kPlugins = {
      .filters =
          {
              std::make_shared<const PredicateFilter>(),
              std::make_shared<const TaintTolerationFilter>(),
          },
      .prioritizers = {
          std::make_shared<const Balance>(),
          std::make_shared<const Steady>(),
          std::make_shared<const ResourceAllocatable>(Resource::Cpu),
          std::make_shared<const ResourceAllocatable>(Resource::Memory),
      }};
  return kPlugins;
}

std::shared_ptr<const Prioritizer> Registry::find_prioritizer(std::string_view name) const {
  const auto found = std::ranges::find_if(
      prioritizers, [name](const auto& prioritizer) { return prioritizer->name() == name; });
  return found == prioritizers.end() ? nullptr : *found;
}

std::shared_ptr<const Prioritizer> score_prioritizer(const api::AddOnScore& score) {
  return std::make_shared<const AgentScore>(score);
}

}  // namespace berth::placement
