#include "fleet/registration/cluster_report.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/node.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "fleet/registration/liveness.h"
#include "fleet/registration/names.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr Duration kFailureLasts = std::chrono::seconds(20);
constexpr Duration kFailurePeriod = std::chrono::seconds(5);
constexpr std::size_t kProbeTextMax = 1024;

api::Condition joined() {
  return {.type = std::string(kJoined),
          .status = api::ConditionStatus::True,
          .reason = "ManagedClusterJoined",
          .message = "Managed cluster joined"};
}

api::Condition availability(const ClusterReport& report) {
  if (report.health == Health::Verdict::Available) {
    return {.type = std::string(kAvailable),
            .status = api::ConditionStatus::True,
            .reason = "ManagedClusterAvailable",
            .message = "Managed cluster is available"};
  }
  return {.type = std::string(kAvailable),
          .status = api::ConditionStatus::False,
          .reason = "ManagedClusterKubeAPIServerUnavailable",
          .message = fmt::format("The kube-apiserver is not ok, status code: {}, {}",
                                 report.probe.status, cut_utf8(report.probe.text, kProbeTextMax))};
}

Value amounts(const api::ResourceList& list) {
  Value object = Value::object();
  for (const api::ResourceAmount& entry : list.entries()) {
    object[entry.name] = entry.amount.to_string();
  }
  return object;
}

// Amounts that others have put there stay.
Value capacity_with(const Value& told, const api::ResourceList& capacity) {
  Value merged = amounts(capacity);
  for (const json::Member& member : told.members()) {
    if (!merged.find(member.name())) merged[member.name()] = member.value;
  }
  return merged;
}

void tell_resources(Value& status, const ClusterReport& report) {
  status["capacity"] = capacity_with(api::field(status, "capacity"), report.resources.capacity);
  status["allocatable"] = amounts(report.resources.allocatable);
  if (!report.version.empty()) status["version"]["kubernetes"] = report.version;
}

}  // namespace

ClusterResources sum_of_nodes(std::span<const Value* const> nodes) {
  ClusterResources sum;
  for (const Value* object : nodes) {
    const auto node = api::Node::from_json(*object);
    if (!node.ok()) continue;
    sum.capacity.add(node->capacity);
    if (!node->unschedulable) sum.allocatable.add(node->allocatable);
  }
  return sum;
}

Health::Verdict Health::on_probe(const ProbeAnswer& answer, Instant now) {
  if (answer.is_ok()) {
    failing_since_.reset();
    return Verdict::Available;
  }
  if (!failing_since_) failing_since_ = now;
  return now - *failing_since_ >= kFailureLasts ? Verdict::Unavailable : Verdict::Undecided;
}

Duration Health::next_probe(Duration period) const {
  return failing_since_ ? std::min(kFailurePeriod, period) : period;
}

Value with_report(const Value& cluster, const ClusterReport& report, Time now) {
  const bool may_tell =
      api::is_condition_true(cluster, kAccepted) && !api::is_condition_false(cluster, kClockSynced);
  if (!may_tell) return cluster;
  Value after = cluster;
  Value& status = after["status"];
  Value conditions = api::field(status, "conditions");
  if (!api::is_condition_true(cluster, kJoined)) {
    conditions = api::with_condition(std::move(conditions), joined(), now);
  }
  if (report.certificate) {
    conditions = api::with_condition(std::move(conditions), *report.certificate, now);
  }
  if (report.health != Health::Verdict::Undecided) {
    conditions = api::with_condition(std::move(conditions), availability(report), now);
  }
  status["conditions"] = std::move(conditions);
  if (report.health != Health::Verdict::Available) return after;
  tell_resources(status, report);
  const bool is_worth_telling = report.claims.size() > 0 || status.find("clusterClaims");
  if (!report.claims.is_null() && is_worth_telling) status["clusterClaims"] = report.claims;
  return after;
}

Value renewed_lease(Value lease, Time now) {
  lease["spec"]["renewTime"] = format_micros(now);
  return lease;
}

Duration lease_pause(const Value& cluster, double draw) {
  const Duration duration = lease_duration(cluster);
  return duration +
         Duration(static_cast<std::int64_t>(static_cast<double>(duration.count()) * 0.25 * draw));
}

}  // namespace berth::fleet
