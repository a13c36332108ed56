// Which rules belong to which kind.

#pragma once

#include <span>
#include <string_view>

#include "apiserver/defaults/rules.h"

namespace berth::apiserver {

struct KindRules {
  std::string_view group;
  std::string_view kind;
  const RuleGroup* rules;
};

// One list per family.
std::span<const KindRules> core_rules();
std::span<const KindRules> workload_rules();
std::span<const KindRules> network_rules();
std::span<const KindRules> storage_rules();

}  // namespace berth::apiserver
