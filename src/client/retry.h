// Which failed requests are worth sending again, and when.

#pragma once

#include <cstdint>
#include <variant>

#include "base/error.h"
#include "base/random.h"
#include "base/time.h"
#include "http/message.h"

namespace berth::client {

struct RetryPolicy {
  int attempts_max = 10;  // 1: each request is sent once; somebody else retries.
};

struct Attempts {
  int made = 1;  // The failed one included.
  bool credentials_refreshed = false;
};

struct GiveUp {
  bool operator==(const GiveUp&) const = default;
};
struct RetryAfter {
  Duration delay;
  bool operator==(const RetryAfter&) const = default;
};
struct RefreshCredentials {  // Then send again at once.
  bool operator==(const RefreshCredentials&) const = default;
};
using RetryDecision = std::variant<GiveUp, RetryAfter, RefreshCredentials>;

// An answer with Retry-After (429, 5xx) was not processed: any verb goes again, a bit later than
// asked for, so that not everybody comes back at once. A lost connection is retried for GET only,
// since the server may have acted; one that never carried the request, for every verb. A 401 is
// worth one look for newer credentials. All else is the caller's.
RetryDecision decide_retry(const Error& error, http::Method method, const Attempts& attempts,
                           const RetryPolicy& policy, Random& random);

}  // namespace berth::client
