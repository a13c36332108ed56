#include "apiserver/validation/workloads.h"

#include <array>
#include <string>

#include <fmt/format.h>

#include "api/label_selector.h"
#include "api/names.h"
#include "apiserver/validation/claims.h"
#include "apiserver/validation/complaints.h"
#include "apiserver/validation/labels.h"
#include "apiserver/validation/percentages.h"
#include "apiserver/validation/pod_spec.h"

namespace berth::apiserver {
namespace {

using api::LabelSelector;

// The pods that it makes have to be those that it selects.
void check_selected(const LabelSelector& selector, const Place& part, Complaints& complaints) {
  const Place metadata = part["metadata"];
  const Place labels = metadata["labels"];
  if (selector.matches(api::Labels(labels.value()))) return;
  complaints.invalid(labels, "`selector` does not match template `labels`");
}

// Pods that run for as long as the workload wants.
void check_lasting(const Place& part, std::string_view kind, Complaints& complaints) {
  const Place spec = part["spec"];
  if (!spec.is_set()) return;
  const Place policy = spec["restartPolicy"];
  if (policy.text() != "Always") complaints.not_supported(policy, {"Always"});
  if (spec["activeDeadlineSeconds"].is_set()) {
    complaints.forbidden(spec["activeDeadlineSeconds"],
                         fmt::format("activeDeadlineSeconds in {} is not Supported", kind));
  }
}

struct Kind {
  std::string_view in_selectors;  // "empty selector is invalid for ..."
  std::string_view bad_selector;  // What is said about one that cannot be read.
};

// The selector; null when the template cannot be compared with it.
std::optional<LabelSelector> check_own_selector(const Place& selector, const Kind& kind,
                                                Complaints& complaints) {
  if (!selector.is_set()) {
    complaints.required(selector);
  } else {
    check_selector(selector, complaints);
    if (is_empty_selector(selector)) {
      complaints.invalid(selector, json::Value::object(),
                         fmt::format("empty selector is invalid for {}", kind.in_selectors));
    }
  }
  auto read = LabelSelector::from_json(selector.value());
  if (read.ok()) return *std::move(read);
  complaints.invalid(selector, kind.bad_selector);
  return std::nullopt;
}

void check_replicas(const Place& spec, Complaints& complaints) {
  complaints.check_not_negative(spec["replicas"]);
}

void check_replica_template(const Place& spec, Complaints& complaints) {
  const auto selector = check_own_selector(
      spec["selector"], {.in_selectors = "deployment", .bad_selector = "invalid label selector"},
      complaints);
  if (!selector) return;
  const Place part = spec["template"];
  check_selected(*selector, part, complaints);
  check_template(part, complaints);
  check_lasting(part, "ReplicaSet", complaints);
}

void check_rolling_deployment(const Place& rolling, Complaints& complaints) {
  check_number_or_percent(rolling["maxUnavailable"], complaints);
  check_number_or_percent(rolling["maxSurge"], complaints);
  if (number_or_percent(rolling["maxUnavailable"]) == 0 &&
      number_or_percent(rolling["maxSurge"]) == 0) {
    complaints.invalid(rolling["maxUnavailable"], "may not be 0 when `maxSurge` is 0");
  }
  check_at_most_100_percent(rolling["maxUnavailable"], complaints);
}

void check_deployment_strategy(const Place& strategy, Complaints& complaints) {
  const std::string_view type = strategy["type"].text();
  const Place rolling = strategy["rollingUpdate"];
  if (type == "Recreate") {
    if (rolling.is_set()) {
      complaints.forbidden(rolling, "may not be specified when strategy `type` is 'Recreate'");
    }
  } else if (type == "RollingUpdate") {
    check_rolling_deployment(rolling, complaints);
  } else {
    complaints.not_supported(strategy, {"Recreate", "RollingUpdate"});
  }
}

void check_selector_kept(const Place& spec, const json::Value* old, Complaints& complaints) {
  if (!old) return;
  const Place before(*old);
  const Place before_spec = before["spec"];
  complaints.check_unchanged(spec["selector"], before_spec["selector"]);
}

void check_rolling_daemons(const Place& rolling, Complaints& complaints) {
  for (const char* name : {"maxUnavailable", "maxSurge"}) {
    check_number_or_percent(rolling[name], complaints);
  }
  for (const char* name : {"maxUnavailable", "maxSurge"}) {
    check_at_most_100_percent(rolling[name], complaints);
  }
  const bool has_unavailable = number_or_percent(rolling["maxUnavailable"]) != 0;
  const bool has_surge = number_or_percent(rolling["maxSurge"]) != 0;
  if (has_unavailable && has_surge) {
    complaints.invalid(rolling["maxSurge"], "may not be set when maxUnavailable is non-zero");
  } else if (!has_unavailable && !has_surge) {
    complaints.required(rolling["maxUnavailable"], "cannot be 0 when maxSurge is 0");
  }
}

void check_daemon_strategy(const Place& strategy, Complaints& complaints) {
  const std::string_view type = strategy["type"].text();
  if (type == "OnDelete") return;
  if (type != "RollingUpdate") {
    return complaints.not_supported(strategy, {"RollingUpdate", "OnDelete"});
  }
  const Place rolling = strategy["rollingUpdate"];
  if (!rolling.is_set()) return complaints.required(rolling);
  check_rolling_daemons(rolling, complaints);
}

void check_stateful_strategy(const Place& strategy, Complaints& complaints) {
  const std::string_view type = strategy["type"].text();
  const Place rolling = strategy["rollingUpdate"];
  if (type == "OnDelete") {
    if (rolling.is_set()) {
      complaints.invalid(rolling, "only allowed for updateStrategy 'RollingUpdate'");
    }
  } else if (type == "RollingUpdate") {
    complaints.check_not_negative(rolling["partition"]);
    if (const Place most = rolling["maxUnavailable"]; most.is_set()) {
      check_number_or_percent(most, complaints);
      if (number_or_percent(most) == 0) complaints.invalid(most, "cannot be 0");
      check_at_most_100_percent(most, complaints);
    }
  } else {
    complaints.invalid(strategy, "must be 'RollingUpdate' or 'OnDelete'");
  }
}

// The volumes that a StatefulSet gives to its pods.
VolumeNames claim_names(const Place& templates) {
  VolumeNames names;
  for (std::size_t i = 0; i < templates.size(); ++i) {
    const Place claim = templates.at(i);
    const Place metadata = claim["metadata"];
    names.emplace(metadata["name"].text());
  }
  return names;
}

void check_stateful_claims(const Place& spec, Complaints& complaints) {
  const Place policy = spec["persistentVolumeClaimRetentionPolicy"];
  if (policy.is_set()) {
    for (const char* when : {"whenDeleted", "whenScaled"}) {
      complaints.check_optional_one_of(policy[when], {"Retain", "Delete"});
    }
  }
}

// Everything else of it can only be said once.
void check_stateful_change(const Place& spec, const json::Value& old, Complaints& complaints) {
  json::Value now = spec.value();
  const Place before(old);
  json::Value then = before["spec"].value();
  for (const char* name : {"replicas", "template", "updateStrategy", "minReadySeconds", "ordinals",
                           "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy"}) {
    now.erase(name);
    then.erase(name);
  }
  if (now == then) return;
  complaints.forbidden(spec,
                       "updates to statefulset spec for fields other than 'replicas', "
                       "'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', "
                       "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are "
                       "forbidden");
}

}  // namespace

std::vector<Cause> validate_deployment(const json::Value& object, const json::Value* old) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  check_replicas(spec, complaints);
  check_replica_template(spec, complaints);
  check_deployment_strategy(spec["strategy"], complaints);
  complaints.check_not_negative(spec["minReadySeconds"]);
  complaints.check_not_negative(spec["revisionHistoryLimit"]);
  if (const Place deadline = spec["progressDeadlineSeconds"]; deadline.is_set()) {
    complaints.check_not_negative(deadline);
    if (deadline.number().value_or(0) <= spec["minReadySeconds"].number().value_or(0)) {
      complaints.invalid(deadline, "must be greater than minReadySeconds");
    }
  }
  check_selector_kept(spec, old, complaints);
  return complaints.take();
}

std::vector<Cause> validate_replica_set(const json::Value& object, const json::Value* old) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  check_replicas(spec, complaints);
  complaints.check_not_negative(spec["minReadySeconds"]);
  check_replica_template(spec, complaints);
  check_selector_kept(spec, old, complaints);
  return complaints.take();
}

std::vector<Cause> validate_stateful_set(const json::Value& object, const json::Value* old) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  const Place order = spec["podManagementPolicy"];
  if (order.text() != "OrderedReady" && order.text() != "Parallel") {
    complaints.invalid(order, "must be 'OrderedReady' or 'Parallel'");
  }
  check_stateful_strategy(spec["updateStrategy"], complaints);
  check_stateful_claims(spec, complaints);
  const Place claims = spec["volumeClaimTemplates"];
  for (std::size_t i = 0; !old && i < claims.size(); ++i) {
    const Place claim = claims.at(i);
    check_claim(claim["spec"], complaints);
  }
  check_replicas(spec, complaints);
  complaints.check_not_negative(spec["minReadySeconds"]);
  const Place ordinals = spec["ordinals"];
  complaints.check_not_negative(ordinals["start"]);
  if (const Place service = spec["serviceName"]; !old && !service.text().empty()) {
    complaints.check_names(service, api::check_dns1123_label(service.text()));
  }
  const Place part = spec["template"];
  if (const auto selector = check_own_selector(
          spec["selector"], {.in_selectors = "statefulset", .bad_selector = ""}, complaints)) {
    check_selected(*selector, part, complaints);
    check_template(part, complaints, claim_names(claims));
  }
  check_lasting(part, "StatefulSet", complaints);
  if (old) check_stateful_change(spec, *old, complaints);
  return complaints.take();
}

std::vector<Cause> validate_daemon_set(const json::Value& object, const json::Value* old) {
  Complaints complaints;
  const Place root(object);
  const Place spec = root["spec"];
  check_selector_kept(spec, old, complaints);
  const Place selector = spec["selector"];
  check_selector(selector, complaints);
  const Place part = spec["template"];
  if (const auto read = LabelSelector::from_json(selector.value()); read.ok()) {
    check_selected(*read, part, complaints);
  }
  if (selector.is_set() && is_empty_selector(selector)) {
    complaints.invalid(selector, json::Value::object(), "empty selector is invalid for daemonset");
  }
  check_template(part, complaints);
  check_lasting(part, "DaemonSet", complaints);
  complaints.check_not_negative(spec["minReadySeconds"]);
  check_daemon_strategy(spec["updateStrategy"], complaints);
  complaints.check_not_negative(spec["revisionHistoryLimit"]);
  return complaints.take();
}

}  // namespace berth::apiserver
