// Pods: the rules of their life, put together.

#pragma once

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

Strategy pod_strategy();

}  // namespace berth::apiserver
