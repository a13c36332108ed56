// How long ago something was, for people: "17m", "3d4h", "2y30d", as kubectl shows it.

#pragma once

#include <optional>
#include <string>

#include "base/time.h"

namespace berth::apiserver {

// Two to three digits that matter: seconds up to two minutes, "9m59s", minutes up to three hours,
// "7h59m", hours up to two days, "7d23h", days up to two years, "7y364d", years. Up to a second in
// the future is "0s", because clocks differ; more than that is "<invalid>".
std::string human_duration(Duration length);

// "<unknown>" for no time and for Go's zero time, year 1.
std::string human_age(std::optional<Time> since, Time now);

}  // namespace berth::apiserver
