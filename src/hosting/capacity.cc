#include "hosting/capacity.h"

#include <algorithm>
#include <limits>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

using json::Value;

constexpr std::int64_t kWorst = -100;

// 0 of the whole is the worst, all of it the best.
std::int32_t score_of(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return kWorst;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(200 * part / whole - 100, kWorst, 100));
}

bool takes_nothing(const Host& host, Time now) {
  return !host.is_accepted || !host.is_available || host.is_deleting || host.says_full ||
         host.ledger.is_cordoned || !host.has_ledger || !staleness(host.observation, now).empty();
}

std::int32_t headroom(const Host& host, Resource resource) {
  const auto free = host.load.free[resource];
  return free ? score_of(*free, *host.load.capacity[resource]) : 0;
}

}  // namespace

Value load_summary(const Host& host, Time now) {
  return Value::object({{"hosted", host.load.total()},
                        {"foreign", host.load.foreign},
                        {"inFlight", host.load.in_flight},
                        {"max", host.thresholds.hosted_max},
                        {"threshold", host.thresholds.threshold},
                        {"fresh", staleness(host.observation, now).empty()},
                        {"free", to_json(host.load.free)}});
}

bool differ_in_counts(const Value& summary, const Value& other) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"hosted", "foreign", "inFlight", "max", "threshold",
                                              "fresh"},
      [&](std::string_view name) { return api::field(summary, name) != api::field(other, name); });
}

std::vector<CapacityScore> capacity_scores(const Host& host, Time now) {
  std::vector<CapacityScore> scores = {
      {"freeSlots",
       score_of(host.thresholds.hosted_max - host.load.total(), host.thresholds.hosted_max)},
      {"cpuHeadroom", headroom(host, Resource::Cpu)},
      {"memHeadroom", headroom(host, Resource::Memory)},
      {"inFlightRoom",
       score_of(host.ledger.in_flight_max - host.load.in_flight, host.ledger.in_flight_max)}};
  if (takes_nothing(host, now)) {
    for (CapacityScore& score : scores) score.value = kWorst;
  }
  return scores;
}

Value with_capacity(const Value& object, const Host& host, Time now) {
  Value list = Value::array();
  for (const CapacityScore& score : capacity_scores(host, now)) {
    list.push_back(Value::object({{"name", score.name}, {"value", score.value}}));
  }
  Value after = object;
  if (object.is_null()) {
    after = Value::object(
        {{"apiVersion", "cluster.open-cluster-management.io/v1alpha1"},
         {"kind", "AddOnPlacementScore"},
         {"metadata", Value::object({{"name", kCapacityScore}, {"namespace", host.name}})}});
  }
  const Value& status = api::field(object, "status");
  const auto until = api::time_field(status, "validUntil");
  const bool holds = until && *until - now > kCapacityLife - kCapacityRefresh;
  if (holds && api::field(status, "scores") == list) return after;
  after["status"]["scores"] = std::move(list);
  after["status"]["validUntil"] = format_seconds(now + kCapacityLife);
  return after;
}

}  // namespace berth::hosting
