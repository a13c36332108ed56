#include "placement/registry.h"

#include "placement/filters/predicate.h"
#include "placement/filters/taint_toleration.h"
#include "placement/prioritizers/balance.h"
#include "placement/prioritizers/resource_allocatable.h"
#include "placement/prioritizers/steady.h"

namespace berth::placement {
namespace {

template <typename P, auto... arguments>
std::shared_ptr<const Prioritizer> make() {
  return std::make_shared<const P>(arguments...);
}

struct BuiltIn {
  std::string_view name;
  std::shared_ptr<const Prioritizer> (*make)();
};

constexpr BuiltIn kBuiltIns[] = {
    {"Balance", make<Balance>},
    {"Steady", make<Steady>},
    {"ResourceAllocatableCPU", make<ResourceAllocatable, Resource::Cpu>},
    {"ResourceAllocatableMemory", make<ResourceAllocatable, Resource::Memory>},
};

}  // namespace

std::span<const Filter* const> filters() {
  static const PredicateFilter kPredicate;
  static const TaintTolerationFilter kTaintToleration;
  static const Filter* const kFilters[] = {&kPredicate, &kTaintToleration};
  return kFilters;
}

bool is_built_in_prioritizer(std::string_view name) {
  for (const BuiltIn& built_in : kBuiltIns) {
    if (built_in.name == name) return true;
  }
  return false;
}

std::shared_ptr<const Prioritizer> built_in_prioritizer(std::string_view name) {
  for (const BuiltIn& built_in : kBuiltIns) {
    if (built_in.name == name) return built_in.make();
  }
  return nullptr;
}

}  // namespace berth::placement
