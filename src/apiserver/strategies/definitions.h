// CustomResourceDefinitions: checked as a whole, and served from the write on that makes them good.

#pragma once

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

Strategy definition_strategy();

}  // namespace berth::apiserver
