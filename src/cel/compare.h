// Equality and order of values, across number kinds.

#pragma once

#include <compare>

#include "cel/context.h"
#include "cel/value.h"

namespace berth::cel {

// Whether a == b. Never an error but the one of a cancelled evaluation, which then says false.
bool equal(Context& context, const Value& a, const Value& b);

// Negative, zero or positive as an int; an error when the two have no order.
Value compare(const Value& a, const Value& b);

}  // namespace berth::cel
