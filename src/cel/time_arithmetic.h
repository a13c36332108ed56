// Sums and differences of timestamps and durations, and durations as text.

#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"
#include "cel/value.h"

namespace berth::cel {

// Whether the value is a timestamp or a duration.
bool is_time(const Value& value);

// `a` must be a time. Errors when the result does not fit or the kinds do not go together.
Value add_times(const Value& a, const Value& b);
Value subtract_times(const Value& a, const Value& b);

// As Go's time.ParseDuration: "1h30m", "-1.5s", "0"; nullopt for everything else.
std::optional<Duration> parse_duration(std::string_view text);

}  // namespace berth::cel
