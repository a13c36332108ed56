#include "fleet/registration/liveness.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "fleet/registration/names.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::chrono::seconds kLeaseDurationDefault{60};
constexpr int kGraceFactor = 5;
constexpr std::int64_t kLeaseSecondsMax = 365 * 24 * 3600;

constexpr std::string_view kUnreachable = "cluster.open-cluster-management.io/unreachable";
constexpr std::string_view kUnavailable = "cluster.open-cluster-management.io/unavailable";
constexpr std::string_view kSkipClockCheck =
    "registration.open-cluster-management.io/skip-clock-sync-check";
constexpr std::string_view kAddonLabelPrefix = "feature.open-cluster-management.io/addon-";

const Value& conditions_of(const Value& object) {
  return api::field(api::field(object, "status"), "conditions");
}

std::string_view availability_of(const Value& object, std::string_view type) {
  const Value* condition = api::find_condition(conditions_of(object), type);
  return condition ? api::field(*condition, "status").string_or_empty() : "";
}

// An equal status stays as it is, whatever its words.
Value with_status(Value object, const api::Condition& condition, Time now) {
  const Value* old = api::find_condition(conditions_of(object), condition.type);
  const bool is_same = old && api::field(*old, "status").string_or_empty() ==
                                  api::condition_status_name(condition.status);
  if (is_same) return object;
  Value list = api::with_condition(conditions_of(object), condition, now);
  object["status"]["conditions"] = std::move(list);
  return object;
}

bool is_plain_taint(const Value& taint, std::string_view key) {
  return api::field(taint, "key").string_or_empty() == key &&
         api::field(taint, "effect").string_or_empty() == "NoSelect" &&
         api::field(taint, "value").string_or_empty().empty();
}

Value without_taint(const Value& taints, std::string_view key) {
  Value rest = Value::array();
  for (const Value& taint : taints.elements()) {
    if (!is_plain_taint(taint, key)) rest.push_back(taint);
  }
  return rest;
}

Value with_taint(Value taints, std::string_view key) {
  const auto is_it = [key](const Value& taint) { return is_plain_taint(taint, key); };
  if (std::ranges::any_of(taints.elements(), is_it)) return taints;
  taints.push_back(Value::object({{"key", key}, {"effect", "NoSelect"}}));
  return taints;
}

std::string_view addon_word(const Value& addon) {
  const std::string_view status = availability_of(addon, "Available");
  if (status == "True") return "available";
  return status == "False" ? "unhealthy" : "unreachable";
}

}  // namespace

Duration lease_duration(const Value& cluster) {
  const std::int64_t seconds =
      api::integer_field(api::field(cluster, "spec"), "leaseDurationSeconds").value_or(0);
  if (seconds <= 0) return kLeaseDurationDefault;
  return std::chrono::seconds(std::min(seconds, kLeaseSecondsMax));
}

Duration lease_grace(const Value& cluster) { return kGraceFactor * lease_duration(cluster); }

Value new_lease(std::string_view cluster, Time now) {
  return Value::object(
      {{"apiVersion", "coordination.k8s.io/v1"},
       {"kind", "Lease"},
       {"metadata", Value::object({{"name", kClusterLease},
                                   {"namespace", cluster},
                                   {"labels", Value::object({{kClusterNameLabel, cluster}})}})},
       {"spec",
        Value::object({{"holderIdentity", kClusterLease}, {"renewTime", format_micros(now)}})}});
}

std::optional<Time> renew_time(const Value& lease) {
  return api::time_field(api::field(lease, "spec"), "renewTime");
}

Time lease_end(const Value& cluster, const Value& lease) {
  return renew_time(lease).value_or(Time::min()) + lease_grace(cluster);
}

Value with_unknown_availability(Value cluster, Time now) {
  return with_status(std::move(cluster),
                     {.type = std::string(kAvailable),
                      .status = api::ConditionStatus::Unknown,
                      .reason = "ManagedClusterLeaseUpdateStopped",
                      .message = "Registration agent stopped updating its lease."},
                     now);
}

Value with_clock_check(Value cluster, const Value& lease, Time now) {
  const std::optional<Time> renewed = renew_time(lease);
  if (!renewed) return cluster;
  const Duration grace = lease_grace(cluster);
  const bool is_skipped = api::read_facts(cluster).annotation(kSkipClockCheck) == "true";
  const bool is_synced = is_skipped || (now - *renewed < grace && *renewed - now < grace);
  if (is_synced) {
    return with_status(std::move(cluster),
                       {.type = std::string(kClockSynced),
                        .status = api::ConditionStatus::True,
                        .reason = "ManagedClusterClockSynced",
                        .message = "The clock of the managed cluster is synced with the hub."},
                       now);
  }
  return with_status(std::move(cluster),
                     {.type = std::string(kClockSynced),
                      .status = api::ConditionStatus::False,
                      .reason = "ManagedClusterClockOutOfSync",
                      .message = "The clock of hub and agent is out of sync. This may cause the "
                                 "Unknown status and affect agent functionalities."},
                     now);
}

Value with_availability_taints(Value cluster) {
  const std::string_view availability = availability_of(cluster, kAvailable);
  const Value& before = api::field(api::field(cluster, "spec"), "taints");
  Value after;
  if (availability == "True") {
    after = without_taint(without_taint(before, kUnreachable), kUnavailable);
  } else if (availability == "False") {
    after = with_taint(without_taint(before, kUnreachable), kUnavailable);
  } else {
    after = with_taint(without_taint(before, kUnavailable), kUnreachable);
  }
  if (after == before || (before.is_null() && after.size() == 0)) return cluster;
  cluster["spec"]["taints"] = std::move(after);
  return cluster;
}

Value with_addon_labels(Value cluster, std::span<const Value* const> addons) {
  if (availability_of(cluster, kAvailable).empty()) return cluster;
  std::set<std::string, std::less<>> kept;
  for (const Value* addon : addons) {
    const api::ObjectFacts facts = api::read_facts(*addon);
    if (facts.is_deleting) continue;
    const std::string key = fmt::format("{}{}", kAddonLabelPrefix, facts.name);
    cluster["metadata"]["labels"][key] = addon_word(*addon);
    kept.insert(key);
  }
  for (const api::Label& label : api::read_facts(cluster).labels) {
    if (label.key.starts_with(kAddonLabelPrefix) && !kept.contains(label.key)) {
      cluster["metadata"]["labels"].erase(label.key);
    }
  }
  return cluster;
}

Value with_availability_of(const Value& cluster, Value addon, Time now) {
  if (availability_of(cluster, kAvailable) != "Unknown") return addon;
  const Value& condition = *api::find_condition(conditions_of(cluster), kAvailable);
  Value list = api::with_condition(conditions_of(addon),
                                   {.type = "Available",
                                    .status = api::ConditionStatus::Unknown,
                                    .reason = api::text_field(condition, "reason"),
                                    .message = api::text_field(condition, "message")},
                                   now);
  addon["status"]["conditions"] = std::move(list);
  return addon;
}

}  // namespace berth::fleet
