// Namespaces, configuration, quotas, leases, priorities, budgets and the other small kinds.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apiserver/tables/builtin_table.h"
#include "apiserver/tables/cells.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

Value entries(const Value& object, Time /*now*/) {
  return at(object, "data").size() + at(object, "binaryData").size();
}

enum class QuotaSide : std::uint8_t { Requests, Limits };

// "cpu: 1/2, pods: 3/10" of what is limited; resources named "limits.X" have their own column.
std::string quota_text(const Value& quota, QuotaSide side) {
  std::vector<std::string> parts;
  for (const json::Member& hard : at(quota, "status.hard").members()) {
    const bool is_limit = hard.name().starts_with("limits.");
    if (is_limit != (side == QuotaSide::Limits)) continue;
    const Value* used = at(quota, "status.used").find(hard.name());
    parts.push_back(fmt::format("{}: {}/{}", hard.name(), quantity_text(used ? *used : Value()),
                                quantity_text(hard.value)));
  }
  std::ranges::sort(parts, {},
                    [](const std::string& part) { return part.substr(0, part.find(':')); });
  return join(parts, ", ");
}

Value quota_requests(const Value& quota, Time /*now*/) {
  return quota_text(quota, QuotaSide::Requests);
}

Value quota_limits(const Value& quota, Time /*now*/) {
  return quota_text(quota, QuotaSide::Limits);
}

Value budget_bound(const Value& budget, std::string_view path) {
  const Value& bound = at(budget, path);
  return bound.is_null() ? "N/A" : int_or_string_text(bound);
}

Value min_available(const Value& budget, Time /*now*/) {
  return budget_bound(budget, "spec.minAvailable");
}

Value max_unavailable(const Value& budget, Time /*now*/) {
  return budget_bound(budget, "spec.maxUnavailable");
}

constexpr BuiltinColumn kNamespaces[] = {kNameColumn, text_column("Status", "status.phase"),
                                         kAgeColumn};
constexpr BuiltinColumn kConfigMaps[] = {kNameColumn, computed_column("Data", entries), kAgeColumn};
constexpr BuiltinColumn kSecrets[] = {kNameColumn, text_column("Type", "type"),
                                      typed("string", count_column("Data", "data")), kAgeColumn};
constexpr BuiltinColumn kNameAndAge[] = {kNameColumn, kAgeColumn};
constexpr BuiltinColumn kResourceQuotas[] = {kNameColumn,
                                             computed_column("Request", quota_requests),
                                             computed_column("Limit", quota_limits), kAgeColumn};
constexpr BuiltinColumn kLeases[] = {kNameColumn, text_column("Holder", "spec.holderIdentity"),
                                     kAgeColumn};
constexpr BuiltinColumn kPriorityClasses[] = {kNameColumn, integer_column("Value", "value"),
                                              boolean_column("Global-Default", "globalDefault"),
                                              kAgeColumn,
                                              text_column("PreemptionPolicy", "preemptionPolicy")};
constexpr BuiltinColumn kBudgets[] = {
    kNameColumn, computed_column("Min Available", min_available),
    computed_column("Max Unavailable", max_unavailable),
    integer_column("Allowed Disruptions", "status.disruptionsAllowed"), kAgeColumn};
constexpr BuiltinColumn kRuntimeClasses[] = {kNameColumn, text_column("Handler", "handler"),
                                             kAgeColumn};
constexpr BuiltinColumn kWebhooks[] = {kNameColumn, count_column("Webhooks", "webhooks"),
                                       kAgeColumn};

constexpr BuiltinTable kTables[] = {
    {.group = "", .kind = "Namespace", .columns = kNamespaces},
    {.group = "", .kind = "ConfigMap", .columns = kConfigMaps},
    {.group = "", .kind = "Secret", .columns = kSecrets},
    {.group = "", .kind = "ServiceAccount", .columns = kNameAndAge},
    {.group = "", .kind = "ResourceQuota", .columns = kResourceQuotas},
    {.group = "coordination.k8s.io", .kind = "Lease", .columns = kLeases},
    {.group = "scheduling.k8s.io", .kind = "PriorityClass", .columns = kPriorityClasses},
    {.group = "policy", .kind = "PodDisruptionBudget", .columns = kBudgets},
    {.group = "node.k8s.io", .kind = "RuntimeClass", .columns = kRuntimeClasses},
    {.group = "admissionregistration.k8s.io",
     .kind = "MutatingWebhookConfiguration",
     .columns = kWebhooks},
    {.group = "admissionregistration.k8s.io",
     .kind = "ValidatingWebhookConfiguration",
     .columns = kWebhooks},
};

}  // namespace

std::span<const BuiltinTable> core_tables() { return kTables; }

}  // namespace berth::apiserver
