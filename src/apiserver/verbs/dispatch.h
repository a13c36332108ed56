// From a request about a resource to the verb that answers it. The user is known and may do this.

#pragma once

#include "apiserver/verbs/call.h"

namespace berth::apiserver {

// Refusals are answers too.
Outcome handle(const ApiRequest& request, const View& view);

}  // namespace berth::apiserver
