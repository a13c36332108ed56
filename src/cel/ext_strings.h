// The strings extension: charAt, indexOf, join, replace, split, substring, format and more.

#pragma once

#include "cel/environment.h"

namespace berth::cel {

void add_strings_library(Environment& environment);

}  // namespace berth::cel
