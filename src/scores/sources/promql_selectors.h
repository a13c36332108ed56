// Which series a PromQL expression reads. Enough of the language to find its selectors; whether the
// rest makes sense is the server's to say.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::scores {

// Whether it may name a label: letters, digits and '_', no digit first.
bool is_label_name(std::string_view text);

// Every selector as it is written, `name`, `name{...}` or `{...}`, without its range, offset and
// time, each once, in the order in which they first occur:
//   sum by (cluster) (rate(requests_total{job="web"}[5m])) / on (cluster) limit
// reads requests_total{job="web"} and limit. Fails, naming the place, when a string or bracket is
// left open or closed twice.
Result<std::vector<std::string>> selectors_in(std::string_view promql);

}  // namespace berth::scores
