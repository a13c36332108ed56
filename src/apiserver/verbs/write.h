// The verbs that change something: create, update and patch.

#pragma once

#include "apiserver/verbs/call.h"

namespace berth::apiserver {

Attempt<Outcome> create_object(const Call& call);
Attempt<Outcome> update_object(const Call& call);  // Of the object or its status.
Attempt<Outcome> patch_object(const Call& call);

}  // namespace berth::apiserver
