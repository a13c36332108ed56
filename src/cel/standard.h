// The standard library of CEL: operators, conversions, and functions on strings and times.

#pragma once

#include "cel/environment.h"

namespace berth::cel {

// All of it, with its macros and the names of its types.
void add_standard_library(Environment& environment);

// Its parts.
void add_operators(Environment& environment);
void add_comparisons(Environment& environment);
void add_conversions(Environment& environment);
void add_string_functions(Environment& environment);
void add_time_functions(Environment& environment);

}  // namespace berth::cel
