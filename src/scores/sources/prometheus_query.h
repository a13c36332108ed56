// What is sent to Prometheus: one instant query that asks for the numbers and for the age of the
// samples behind them.
//
// The API answers a query with the time at which it was evaluated, and goes on to give the last
// sample of a series for five minutes after its target has died. When a sample was taken is known
// to timestamp() only, and only of a selector: of a sum it is the time of the evaluation. So the
// query that is sent is made of parts, told apart by a label:
//
//   label_replace((sum by (cluster) (free)), "berth_part", "value", "", "")
//   or label_replace(min by (cluster) (timestamp(free)), "berth_part", "time0", "", "")
//
// One part more for each selector in it. All of it is evaluated at one moment, so the numbers and
// the times belong together.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "scores/sources/score_source.h"

namespace berth::scores {

inline constexpr std::string_view kPartLabel = "berth_part";
inline constexpr std::string_view kValuePart = "value";
inline constexpr std::string_view kTimePart = "time";  // With a number after it.

// The whole query; the ScoreQuery has been read from a source, so its selectors can be found.
std::string query_text(const ScoreQuery& query, std::string_view cluster_label);

// The fields of the form that is posted to /api/v1/query.
using FormFields = std::vector<std::pair<std::string, std::string>>;
FormFields query_form(const ScoreSource& source, const ScoreQuery& query, Time when);

}  // namespace berth::scores
