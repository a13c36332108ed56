// Conditions: the list in status.conditions, keyed by type.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace berth::api {

enum class ConditionStatus : std::uint8_t { True, False, Unknown };

std::string_view condition_status_name(ConditionStatus status);

struct Condition {
  std::string type;
  ConditionStatus status = ConditionStatus::Unknown;
  std::string reason;                    // CamelCase.
  std::string message = {};              // For a human.
  std::int64_t observed_generation = 0;  // 0 is left out.
};

// All of these take the list itself; anything that is no array counts as an empty one.

const json::Value* find_condition(const json::Value& conditions, std::string_view type);

// The list with the condition in it, at its old place or else at the end. lastTransitionTime
// becomes `now` only when the status changes; an equal condition leaves the list as it is.
json::Value with_condition(json::Value conditions, const Condition& condition, Time now);
json::Value without_condition(json::Value conditions, std::string_view type);

// Whether the object's status.conditions say so; a missing condition is neither true nor false.
bool is_condition_true(const json::Value& object, std::string_view type);
bool is_condition_false(const json::Value& object, std::string_view type);

}  // namespace berth::api
