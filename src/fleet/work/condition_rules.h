// Conditions of a manifest that a work asks for, computed from the applied object.

#pragma once

#include <string_view>
#include <vector>

#include "api/conditions.h"
#include "fleet/work/manifest_work.h"
#include "json/value.h"

namespace berth::fleet {

// What such conditions are told by: their reasons begin with this.
inline constexpr std::string_view kRuleReasonPrefix = "ConditionRule";

// One for each rule; a well-known rule that does not know the kind gives none. What is wrong with a
// rule is the message of its condition. Without the generation.
std::vector<api::Condition> evaluate_rules(const json::Value& object,
                                           const std::vector<ConditionRule>& rules);

}  // namespace berth::fleet
