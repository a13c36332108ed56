// Leases: their numbers, and that nobody takes one over without having seen it.

#pragma once

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

Strategy lease_strategy();

}  // namespace berth::apiserver
