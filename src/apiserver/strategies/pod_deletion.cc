#include "apiserver/strategies/pod_deletion.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "api/kinds/fields.h"
#include "apiserver/defaults/rules.h"
#include "apiserver/tables/cells.h"
#include "base/rfc3339.h"

namespace berth::apiserver {
namespace {

using json::Value;
using Action = PodDeletion::Action;

constexpr std::int64_t kGraceUsual = 30;
// Longer than anybody waits, and far from overflowing.
constexpr std::int64_t kGraceMax = 1'000'000'000;

std::int64_t bounded(std::int64_t grace) { return grace < 0 ? 1 : std::min(grace, kGraceMax); }

Duration seconds(std::int64_t count) { return std::chrono::seconds(count); }

PodDeletion stored(Value pod, Time at_time, std::int64_t grace) {
  if (Value* metadata = object_under(pod, "metadata")) {
    (*metadata)["deletionTimestamp"] = format_seconds(at_time);
    (*metadata)["deletionGracePeriodSeconds"] = grace;
  }
  return {.action = grace == 0 ? Action::Remove : Action::Store, .pod = std::move(pod)};
}

std::int64_t first_grace(const Value& pod, std::optional<std::int64_t> grace) {
  const std::string phase = text_at(pod, "status.phase");
  const bool is_over = phase == "Succeeded" || phase == "Failed";
  if (is_over || text_at(pod, "spec.nodeName").empty()) return 0;
  if (grace) return bounded(*grace);
  const Value& spec = api::field(pod, "spec");
  return bounded(api::integer_field(spec, "terminationGracePeriodSeconds").value_or(kGraceUsual));
}

PodDeletion hurry(Value pod, std::optional<std::int64_t> grace, Time now) {
  const auto since = time_at(pod, "metadata.deletionTimestamp");
  const std::int64_t old_grace = bounded(integer_at(pod, "metadata.deletionGracePeriodSeconds"));
  if (old_grace == 0 || !since) return {.action = Action::Remove, .pod = std::move(pod)};
  if (!grace || bounded(*grace) >= old_grace) {
    return {.action = Action::Pending, .pod = std::move(pod)};
  }
  std::int64_t period = bounded(*grace);
  Time until = *since - seconds(old_grace) + seconds(period);
  if (until < now) {
    until = now;
    // The time is over, but somebody else still says when the pod is gone.
    if (period != 0) period = 1;
  }
  return stored(std::move(pod), until, period);
}

}  // namespace

PodDeletion delete_pod(Value pod, std::optional<std::int64_t> grace, Time now) {
  const bool is_being_deleted = !at(pod, "metadata.deletionTimestamp").is_null();
  if (is_being_deleted) return hurry(std::move(pod), grace, now);
  const std::int64_t period = first_grace(pod, grace);
  const std::int64_t generation = integer_at(pod, "metadata.generation");
  if (Value* metadata = object_under(pod, "metadata"); metadata && generation > 0) {
    (*metadata)["generation"] = generation + 1;
  }
  return stored(std::move(pod), now + seconds(period), period);
}

}  // namespace berth::apiserver
