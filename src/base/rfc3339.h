// RFC 3339 timestamps, as Kubernetes writes and reads them.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace berth {

// Accepts any offset and up to nine digits of a second. A leap second (":60") is refused, as Go's
// parser does, and so are a date without a time, a lower-case 't' or 'z' and a missing offset.
Result<Time> parse_rfc3339(std::string_view text);

// 2026-11-15T22:08:41Z: metav1.Time, which has no fraction.
std::string format_seconds(Time time);

// 2026-11-15T22:08:41.000123Z: metav1.MicroTime, always six digits.
std::string format_micros(Time time);

// 2026-11-15T22:08:41.5Z: as many digits as the value needs, none if it needs none.
std::string format_nanos(Time time);

}  // namespace berth
