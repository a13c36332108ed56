// Lists taken as sets: sets.contains, sets.equivalent, sets.intersects.

#pragma once

#include "cel/environment.h"

namespace berth::cel {

void add_sets_library(Environment& environment);

}  // namespace berth::cel
