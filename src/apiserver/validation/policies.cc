#include "apiserver/validation/policies.h"

#include <fmt/format.h>

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/labels.h"
#include "apiserver/validation/percentages.h"

namespace berth::apiserver {
namespace {

constexpr std::int64_t kPriorityMax = 1'000'000'000;
constexpr std::string_view kSystemPrefix = "system-";

bool is_system_class(const Place& root, std::string_view name) {
  const std::int64_t value = root["value"].number().value_or(0);
  const bool is_known = (name == "system-node-critical" && value == 2'000'001'000) ||
                        (name == "system-cluster-critical" && value == 2'000'000'000);
  return is_known && !root["globalDefault"].is_true();
}

void check_new_class(const Place& root, Complaints& complaints) {
  const Place metadata = root["metadata"];
  const Place name = metadata["name"];
  if (name.text().starts_with(kSystemPrefix)) {
    if (is_system_class(root, name.text())) return;
    complaints.forbidden(name, fmt::format("priority class names with '{}' prefix are reserved "
                                           "for system use only. error: {} is not a known "
                                           "system priority class",
                                           kSystemPrefix, name.text()));
  } else if (root["value"].number().value_or(0) > kPriorityMax) {
    complaints.forbidden(
        root["value"],
        fmt::format("maximum allowed value of a user defined priority is {}", kPriorityMax));
  }
  complaints.check_optional_one_of(root["preemptionPolicy"], {"PreemptLowerPriority", "Never"});
}

}  // namespace

std::vector<Cause> validate_disruption_budget(const json::Value& object,
                                              const json::Value* /*old*/) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  if (spec["minAvailable"].is_set() && spec["maxUnavailable"].is_set()) {
    complaints.invalid(spec, "minAvailable and maxUnavailable cannot be both set");
  }
  for (const char* name : {"minAvailable", "maxUnavailable"}) {
    const Place bound = spec[name];
    if (!bound.is_set()) continue;
    check_number_or_percent(bound, complaints);
    check_at_most_100_percent(bound, complaints);
  }
  check_selector(spec["selector"], complaints);
  complaints.check_optional_one_of(spec["unhealthyPodEvictionPolicy"],
                                   {"AlwaysAllow", "IfHealthyBudget"});
  return complaints.take();
}

std::vector<Cause> validate_priority_class(const json::Value& object, const json::Value* old) {
  Complaints complaints;
  const Place root(object);
  if (!old) {
    check_new_class(root, complaints);
    return complaints.take();
  }
  const Place before(*old);
  if (root["value"].number() != before["value"].number()) {
    complaints.forbidden(root["value"], "may not be changed in an update.");
  }
  complaints.check_unchanged(root["preemptionPolicy"], before["preemptionPolicy"]);
  return complaints.take();
}

}  // namespace berth::apiserver
