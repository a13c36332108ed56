// Secrets and ConfigMaps: data under keys, some of it never to be changed again.

#pragma once

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

Strategy secret_strategy();
Strategy config_map_strategy();

}  // namespace berth::apiserver
