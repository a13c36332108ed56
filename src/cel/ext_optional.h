// Optional values: a.?b, a[?i], optional.of(x), x.orValue(y), optMap and their kin.

#pragma once

#include "cel/environment.h"

namespace berth::cel {

void add_optional_library(Environment& environment);

}  // namespace berth::cel
