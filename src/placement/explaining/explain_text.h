// An explanation as people and programs read it.

#pragma once

#include <cstdint>
#include <string>

#include "json/value.h"
#include "placement/explaining/explain.h"

namespace berth::placement {

json::Value to_json(const ClusterVerdict& verdict);
json::Value to_json(const Explanation& explanation);

enum class ExplainFormat : std::uint8_t {
  Table,  // A line or two for each cluster, within 100 columns.
  Wide,   // A column for each prioritizer, as wide as it gets.
};

// What was decided, and one row for each available cluster.
std::string to_text(const Explanation& explanation, ExplainFormat format);

// One cluster in a few words: "oslo has 35 points", "rome: taint a:NoSelect is not tolerated".
std::string in_short(const ClusterVerdict& verdict);

// One cluster in full.
std::string to_text(const api::ObjectKey& placement, const ClusterVerdict& verdict);

}  // namespace berth::placement
