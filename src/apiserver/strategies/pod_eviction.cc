#include "apiserver/strategies/pod_eviction.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/label_selector.h"
#include "apiserver/defaults/rules.h"
#include "apiserver/strategies/pod_conditions.h"
#include "apiserver/strategies/pod_errors.h"
#include "apiserver/tables/cells.h"
#include "base/rfc3339.h"

namespace berth::apiserver {
namespace {

using json::Value;

// More would mean that nobody confirms them.
constexpr std::size_t kDisruptedPodsMax = 2000;
constexpr Duration kRetryAfter = std::chrono::seconds(10);
// For so long a pod on a budget's list counts as going, as for the controller of budgets.
constexpr Duration kPaidFor = std::chrono::minutes(2);

std::vector<const Value*> budgets_of(const Value& pod, std::span<const Value> budgets) {
  std::vector<const Value*> found;
  for (const Value& budget : budgets) {
    if (text_at(budget, "metadata.namespace") != text_at(pod, "metadata.namespace")) continue;
    const auto selector = api::LabelSelector::from_json(at(budget, "spec.selector"));
    if (selector.ok() && selector->matches(api::Labels(at(pod, "metadata.labels")))) {
      found.push_back(&budget);
    }
  }
  return found;
}

Error blocked(std::string why) {
  return {.code = Code::TooManyRequests,
          .message = "Cannot evict pod as it would violate the pod's disruption budget.",
          .causes = {{.reason = "DisruptionBudget", .message = std::move(why)}},
          .retry_after = kRetryAfter};
}

// Why a budget that allows no disruption does not.
std::string why_none(const Value& budget) {
  const std::string name = text_at(budget, "metadata.name");
  const Value& status = api::field(budget, "status");
  const Value* condition =
      api::find_condition(api::field(status, "conditions"), "DisruptionAllowed");
  const bool is_false = condition && api::text_field(*condition, "status") == "False";
  const std::string message = is_false ? api::text_field(*condition, "message") : "";
  const std::string reason = is_false ? api::text_field(*condition, "reason") : "";
  if (reason == "SyncFailed" && !message.empty()) {
    return fmt::format(
        "The disruption budget {} does not allow evicting pods currently because it failed sync: "
        "{}",
        name, message);
  }
  const std::int64_t desired = integer_at(status, "desiredHealthy");
  const std::int64_t current = integer_at(status, "currentHealthy");
  if (current <= desired) {
    return fmt::format("The disruption budget {} needs {} healthy pods and has {} currently", name,
                       desired, current);
  }
  if (!message.empty()) {
    return fmt::format("The disruption budget {} does not allow evicting pods currently ({}): {}",
                       name, reason, message);
  }
  return fmt::format("The disruption budget {} does not allow evicting pods currently", name);
}

Error forbidden_budget(const Value& budget, std::string_view why) {
  return {.code = Code::Forbidden,
          .message = fmt::format(R"(poddisruptionbudget.policy "{}" is forbidden: {})",
                                 text_at(budget, "metadata.name"), why)};
}

// The budget with one disruption fewer and the pod on its list, until its controller sees it go.
Result<Value> charged(Value budget, const std::string& pod, Time now) {
  const std::int64_t allowed = integer_at(budget, "status.disruptionsAllowed");
  if (integer_at(budget, "status.observedGeneration") < integer_at(budget, "metadata.generation")) {
    return failure(
        blocked(fmt::format("The disruption budget {} is still being processed by the server.",
                            text_at(budget, "metadata.name"))));
  }
  if (allowed < 0) {
    return failure(forbidden_budget(budget, "pdb disruptions allowed is negative"));
  }
  if (at(budget, "status.disruptedPods").size() > kDisruptedPodsMax) {
    return failure(forbidden_budget(
        budget, "DisruptedPods map too big - too many evictions not confirmed by PDB controller"));
  }
  if (allowed == 0) return failure(blocked(why_none(budget)));

  Value* status = object_under(budget, "status");
  if (!status) return budget;
  (*status)["disruptionsAllowed"] = allowed - 1;
  if (Value* pods = object_under(*status, "disruptedPods")) (*pods)[pod] = format_seconds(now);
  if (allowed > 1) return budget;
  const api::Condition none = {
      .type = "DisruptionAllowed",
      .status = api::ConditionStatus::False,
      .reason = "InsufficientPods",
      .observed_generation = integer_at(budget, "status.observedGeneration")};
  Value conditions = api::field(*status, "conditions");
  (*status)["conditions"] = api::with_condition(std::move(conditions), none, now);
  return budget;
}

// A pod that is not ready does no good: its budget need not pay if it has enough of the others, or
// says so.
bool goes_free(const Value& pod, const Value& budget) {
  if (api::is_condition_true(pod, "Ready")) return false;
  if (text_at(budget, "spec.unhealthyPodEvictionPolicy") == "AlwaysAllow") return true;
  const std::int64_t desired = integer_at(budget, "status.desiredHealthy");
  return desired > 0 && integer_at(budget, "status.currentHealthy") >= desired;
}

// An eviction that had to be tried again, because the pod changed meanwhile, has paid.
bool has_paid(const Value& pod, const Value& budget, Time now) {
  const Value& listed = api::field(at(budget, "status.disruptedPods"), pod_name(pod));
  const auto since = parse_rfc3339(listed.string_or_empty());
  return since && now - *since < kPaidFor;
}

PodEviction evicted(Value pod, Time now) {
  return {.pod = with_pod_condition(std::move(pod),
                                    {.type = "DisruptionTarget",
                                     .status = "True",
                                     .reason = "EvictionByEvictionAPI",
                                     .message = "Eviction API: evicting"},
                                    now)};
}

}  // namespace

Result<PodEviction> evict_pod(Value pod, std::span<const Value> budgets, Time now) {
  const std::string phase = text_at(pod, "status.phase");
  const bool is_going = !at(pod, "metadata.deletionTimestamp").is_null();
  const bool is_over = phase == "Succeeded" || phase == "Failed" || is_going;
  if (is_over || phase == "Pending") {
    PodEviction eviction = evicted(std::move(pod), now);
    eviction.depends_on_pod_version = !is_over;  // A pending pod may start meanwhile.
    return eviction;
  }

  const std::vector<const Value*> own = budgets_of(pod, budgets);
  if (own.size() > 1) {
    return failure(Code::InternalError,
                   "This pod has more than one PodDisruptionBudget, which the eviction "
                   "subresource does not support.");
  }
  if (own.empty()) return evicted(std::move(pod), now);
  if (goes_free(pod, *own[0])) {
    PodEviction eviction = evicted(std::move(pod), now);
    eviction.depends_on_pod_version = true;
    return eviction;
  }
  if (has_paid(pod, *own[0], now)) return evicted(std::move(pod), now);
  ASSIGN_OR_RETURN(Value budget, charged(*own[0], pod_name(pod), now));
  PodEviction eviction = evicted(std::move(pod), now);
  eviction.budget = std::move(budget);
  return eviction;
}

}  // namespace berth::apiserver
