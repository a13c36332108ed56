// RBAC read straight off the objects, as its documentation says it: the model for tests.

#pragma once

#include <span>

#include "apiserver/auth/attributes.h"
#include "apiserver/user.h"
#include "json/value.h"

namespace berth::apiserver::testing {

bool naive_allows(std::span<const json::Value> objects, const User& user,
                  const Attributes& attributes);

}  // namespace berth::apiserver::testing
