// What a generator's status says: whether it is carried out, how each entry is doing.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "json/value.h"
#include "scores/generators/generator.h"
#include "scores/generators/generator_work.h"

namespace berth::scores {

inline constexpr std::string_view kAcceptedCondition = "Accepted";
inline constexpr std::string_view kHealthyCondition = "Healthy";

// The status of a generator that is refused; `before` is its status as it is. There is at least one
// problem.
json::Value refused_status(const json::Value& before, std::span<const Problem> problems,
                           std::int64_t generation, Time now);

// The status of one that its agent has still to look at.
json::Value waiting_status(const json::Value& before, std::int64_t generation, Time now);

// The status of one that is carried out. A delay that is only simulated is told.
json::Value working_status(const json::Value& before,
                           const std::vector<GeneratorWork::Entry>& entries,
                           std::int64_t generation, Time now,
                           Duration simulated_delay = Duration::zero());

// Whether the two differ in more than measured numbers and times: such a change is not to wait.
bool differs_in_kind(const json::Value& status, const json::Value& other);

}  // namespace berth::scores
