#include "api/cluster_taints.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace berth::api {
namespace {

// How a taint is dealt with; `expires` only when a toleration limited in time does it.
struct Grace {
  bool tolerated = false;
  std::optional<Time> expires = std::nullopt;
};

// nullopt: never. Saturates instead of wrapping around, unlike Open Cluster Management, where a
// toleration of more than 292 years has expired.
std::optional<Time> expiry_of(const Toleration& toleration, const Taint& taint) {
  if (!toleration.seconds) return std::nullopt;
  const Time added = taint.time_added.value_or(Time::min());
  std::int64_t seconds = 0;
  if (__builtin_add_overflow(added.unix_seconds(), *toleration.seconds, &seconds)) {
    return *toleration.seconds < 0 ? Time::min() : Time::max();
  }
  return Time::from_unix(seconds, added.nanoseconds());
}

Grace grace_for(const Taint& taint, std::span<const Toleration> tolerations,
                const ClusterTaintContext& context) {
  if (taint.effect == TaintEffect::PreferNoSelect) return {.tolerated = true};
  if (taint.effect == TaintEffect::NoSelectIfNew && context.already_selected) {
    return {.tolerated = true};
  }
  for (const Toleration& toleration : tolerations) {
    if (!tolerates(toleration, taint)) continue;
    const std::optional<Time> expires = expiry_of(toleration, taint);
    if (!expires || context.now < *expires) return {.tolerated = true, .expires = expires};
  }
  return {};
}

}  // namespace

Status check_cluster_tolerations(std::span<const Toleration> tolerations) {
  for (const Toleration& toleration : tolerations) {
    const bool exists = toleration.op == Toleration::Operator::Exists;
    if (toleration.key.empty() && !exists) {
      return failure(Code::Invalid, "If the key is empty, operator must be Exists.");
    }
    if (exists && !toleration.value.empty()) {
      return failure(Code::Invalid, "If the operator is Exists, the value should be empty.");
    }
  }
  return {};
}

ClusterTaintVerdict judge_cluster_taints(std::span<const Taint> taints,
                                         std::span<const Toleration> tolerations,
                                         const ClusterTaintContext& context) {
  ClusterTaintVerdict verdict;
  for (const Taint& taint : taints) {
    const Grace grace = grace_for(taint, tolerations, context);
    if (!grace.tolerated) return {.untolerated = &taint};
    if (grace.expires) {
      verdict.expires = std::min(verdict.expires.value_or(Time::max()), *grace.expires);
    }
  }
  return verdict;
}

}  // namespace berth::api
