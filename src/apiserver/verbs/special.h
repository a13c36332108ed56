// What is no plain object: reviews, which are answered and not kept, and the subresources with
// rules of their own.

#pragma once

#include "apiserver/verbs/call.h"

namespace berth::apiserver {

// Resources that can only be created and are kept nowhere.
bool is_special(const Resource& resource);
Attempt<Outcome> special_resource(const Call& call);

// Bindings, evictions, tokens, approvals, the end of a namespace.
Attempt<Outcome> special_subresource(const Call& call);

}  // namespace berth::apiserver
