// What is said about a host to others: a summary in its ledger, and scores that any Placement can
// use.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "hosting/host.h"
#include "json/value.h"

namespace berth::hosting {

// {hosted, foreign, inFlight, max, threshold, free, fresh}: as decisions reckon with it now.
json::Value load_summary(const Host& host, Time now);

// Whether two summaries differ in more than amounts, which change with every pod.
bool differ_in_counts(const json::Value& summary, const json::Value& other);

struct CapacityScore {
  std::string name;
  std::int32_t value;  // -100 to 100; higher is better, so that a plain weight of 1 is right.

  bool operator==(const CapacityScore&) const = default;
};

// freeSlots, cpuHeadroom, memHeadroom and inFlightRoom. What is not known is 0, the middle; a host
// that must not get anything new has the worst of all.
std::vector<CapacityScore> capacity_scores(const Host& host, Time now);

// The AddOnPlacementScore with these scores. It is the same object if that says so already and
// holds long enough; null stands for one that is not there.
json::Value with_capacity(const json::Value& object, const Host& host, Time now);

inline constexpr Duration kCapacityLife = std::chrono::minutes(5);
inline constexpr Duration kCapacityRefresh = std::chrono::minutes(2);  // Before its end.

}  // namespace berth::hosting
