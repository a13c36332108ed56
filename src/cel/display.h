// Values as text that reads like the expression that makes them: for messages, logs and tests.

#pragma once

#include <string>

#include "base/time.h"
#include "cel/value.h"

namespace berth::cel {

// [1, 2u, 3.0, "four"], {"a": b"\170"}, duration("3600s"), optional.none(). Long values are cut.
std::string display(const Value& value);

// As Go's %g prints a double: the shortest digits that read back, an exponent when it is large.
std::string display_double(double number);

// The seconds as a decimal number with the unit: "1.5s".
std::string display_duration(Duration duration);

}  // namespace berth::cel
