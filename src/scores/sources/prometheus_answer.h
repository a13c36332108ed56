// What Prometheus answers to a query of ours, and what its refusals mean.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::scores {

// Far more than any fleet has clusters: whoever gets here forgot to aggregate.
inline constexpr std::size_t kSeriesMax = 100'000;

// One element of the vector: its cluster and part, and the number.
struct Series {
  std::string cluster = {};  // The value of the cluster label; empty: it has none.
  std::string part = {};     // "value", "time0" and so on.
  double number = 0;         // May be NaN or infinite.

  bool operator==(const Series&) const = default;
};

struct PrometheusAnswer {
  std::vector<Series> series = {};
  std::vector<std::string> warnings = {};  // Shortened, the first few: the answer is not whole.
};

// The answer that came with that HTTP status. Fails with what the server itself says
// ("bad_data: ..."), or with the place of what was not expected. Results other than vectors are
// refused: they belong to no cluster. Nothing of a body that is no answer of Prometheus is quoted.
Result<PrometheusAnswer> read_prometheus_answer(int http_status, std::string_view body,
                                                std::string_view cluster_label);

}  // namespace berth::scores
