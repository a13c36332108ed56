#include "client/retry.h"

#include <chrono>

#include "client/backoff.h"
#include "client/errors.h"

namespace berth::client {
namespace {

constexpr Duration kNetworkDelay = std::chrono::seconds(1);
constexpr double kJitter = 0.2;

bool is_unprocessed(const Error& error) {
  const int status = http_status(error.code);
  return error.retry_after && (status == 429 || status >= 500);
}

}  // namespace

RetryDecision decide_retry(const Error& error, http::Method method, const Attempts& attempts,
                           const RetryPolicy& policy, Random& random) {
  if (is_unauthorized(error)) {
    if (attempts.credentials_refreshed) return GiveUp{};
    return RefreshCredentials{};
  }
  if (attempts.made >= policy.attempts_max) return GiveUp{};
  if (const auto failure = network_failure(error)) {
    const bool safe = *failure == NetworkFailure::NotSent || method == http::Method::Get;
    if (!safe) return GiveUp{};
    return RetryAfter{jittered(kNetworkDelay, kJitter, random)};
  }
  if (is_unprocessed(error)) return RetryAfter{jittered(*error.retry_after, kJitter, random)};
  return GiveUp{};
}

}  // namespace berth::client
