// How a change of configuration gets to the clusters of a placement: what a user may ask for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/kinds/placement.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::fleet {

enum class RolloutType : std::uint8_t { All, Progressive, ProgressivePerGroup };

// A decision group by its name, or by its index where the name is empty.
struct MandatoryGroup {
  std::string name = {};
  std::int32_t index = 0;
};

struct RolloutStrategy {
  RolloutType type = RolloutType::All;
  std::vector<MandatoryGroup> mandatory = {};    // Before all others, without a single failure.
  api::GroupSize concurrency = std::int64_t{0};  // 0: all at once, or as the placement groups them.
  api::GroupSize failures_max = std::int64_t{0};
  Duration success_time_min = Duration::zero();
  std::optional<Duration> deadline = std::nullopt;  // nullopt: a cluster may take for ever.
};

// Fails on a type, size or length of time that cannot be read, naming it.
Result<RolloutStrategy> read_rollout_strategy(const json::Value& strategy);

struct PortionOptions {
  std::size_t total = 0;
  std::size_t otherwise = 0;  // For 0, and for more than there are.
};

// How many of the total a number or percentage means, rounded up.
Result<std::size_t> portion_of(const api::GroupSize& size, const PortionOptions& options);

}  // namespace berth::fleet
