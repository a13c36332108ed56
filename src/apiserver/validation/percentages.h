// Numbers that may also be percentages: maxSurge, maxUnavailable, minAvailable.

#pragma once

#include <cstdint>

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"

namespace berth::apiserver {

// A whole number that is not negative, or "N%". Must be there.
void check_number_or_percent(const Place& place, Complaints& complaints);

// Numbers are fine in any size.
void check_at_most_100_percent(const Place& place, Complaints& complaints);

// The number, or the N of "N%"; 0 where there is neither.
std::int64_t number_or_percent(const Place& place);

}  // namespace berth::apiserver
