// Impersonation: acting as somebody else by the Impersonate-* headers, for those who may.

#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "apiserver/auth/attributes.h"
#include "apiserver/user.h"
#include "base/result.h"
#include "http/message.h"

namespace berth::apiserver {

struct Impersonation {
  User user;                       // Who the request is made as.
  std::vector<Attributes> checks;  // Each of which the one who asks must be allowed.
};

// Nullopt: no such header. BadRequest: groups, a uid or extras without a user.
Result<std::optional<Impersonation>> read_impersonation(const http::Headers& headers);

}  // namespace berth::apiserver
