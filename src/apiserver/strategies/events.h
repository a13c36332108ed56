// Events: what no schema says about them, in both of their kinds.

#pragma once

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

Strategy event_strategy();

}  // namespace berth::apiserver
