// The kinds of RBAC: nobody gives away what he does not have.

#pragma once

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

Strategy role_strategy();  // Of bindings, too.

}  // namespace berth::apiserver
