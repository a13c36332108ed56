// The subresource scale: how many replicas something has, and should have.

#pragma once

#include "apiserver/verbs/call.h"

namespace berth::apiserver {

Attempt<Outcome> get_scale(const Call& call);
Attempt<Outcome> update_scale(const Call& call);
Attempt<Outcome> patch_scale(const Call& call);

}  // namespace berth::apiserver
