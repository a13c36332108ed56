#include "local/deployment.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "local/rollout.h"
#include "local/template_hash.h"

namespace berth::local {
namespace {

using api::ConditionStatus;
using json::Value;

constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
constexpr std::int64_t kHistoryDefault = 10;

const Value& template_of(const Value& object) {
  return api::field(api::field(object, "spec"), "template");
}

std::int64_t revision_of(const Value& object) {
  const auto text = api::Metadata(object).annotations().find(kRevision);
  return text ? parse_int64(*text).value_or(0) : 0;
}

SetSize size_of(const Value& set) {
  const Value& status = api::field(set, "status");
  return {.wanted = api::int32_field(api::field(set, "spec"), "replicas").value_or(1),
          .pods = api::int32_field(status, "replicas").value_or(0),
          .available = api::int32_field(status, "availableReplicas").value_or(0)};
}

// The sets of a deployment: the one of its template, if there is one, and the others by age.
struct Generations {
  const Value* current = nullptr;
  std::vector<const Value*> old = {};
  std::int64_t revision = 0;  // The highest of all old ones.
};

Generations generations_of(const Value& deployment, Objects sets) {
  Generations generations;
  std::vector<const Value*> by_age(sets.begin(), sets.end());
  std::ranges::sort(by_age, {}, [](const Value* set) {
    const api::Metadata metadata(*set);
    return std::pair(metadata.creation_time().value_or(Time()), metadata.name());
  });
  const Value wanted = without_hash(template_of(deployment));
  for (const Value* set : by_age) {
    if (!generations.current && without_hash(template_of(*set)) == wanted) {
      generations.current = set;
    } else {
      generations.old.push_back(set);
      generations.revision = std::max(generations.revision, revision_of(*set));
    }
  }
  return generations;
}

Value new_set(const Value& deployment, std::int64_t size, std::int64_t revision) {
  const Value& spec = api::field(deployment, "spec");
  const api::Metadata metadata(deployment);
  const std::string hash = template_hash(template_of(deployment));
  Value pattern = template_of(deployment);
  pattern["metadata"]["labels"][kTemplateHash] = hash;
  Value selector = api::field(spec, "selector");
  selector["matchLabels"][kTemplateHash] = hash;
  Value set = Value::object({{"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"}});
  set["metadata"] =
      Value::object({{"name", fmt::format("{}-{}", metadata.name(), hash)},
                     {"namespace", metadata.namespace_name()},
                     {"labels", api::field(pattern["metadata"], "labels")},
                     {"annotations", Value::object({{kRevision, std::to_string(revision)}})},
                     {"ownerReferences", Value::array({controller_reference(deployment)})}});
  set["spec"] =
      Value::object({{"replicas", size},
                     {"minReadySeconds", api::int32_field(spec, "minReadySeconds").value_or(0)},
                     {"selector", std::move(selector)},
                     {"template", std::move(pattern)}});
  return set;
}

Value resized(const Value& set, std::int64_t size) {
  Value after = set;
  after["spec"]["replicas"] = size;
  return after;
}

// Deployments keep one time more in their conditions than others do.
Value with_condition(Value conditions, const api::Condition& condition, Time now) {
  const Value before = conditions;
  conditions = api::with_condition(std::move(conditions), condition, now);
  if (conditions == before) return conditions;
  for (Value& entry : conditions.elements()) {
    if (api::text_field(entry, "type") == condition.type) {
      entry["lastUpdateTime"] = format_seconds(now);
    }
  }
  return conditions;
}

Value conditions_of(const Value& deployment, const Generations& generations, std::int64_t available,
                    Time now) {
  const RolloutLimits limits = rollout_limits(deployment);
  Value conditions = api::field(api::field(deployment, "status"), "conditions");
  const bool enough = available >= limits.replicas - limits.unavailable;
  conditions =
      with_condition(std::move(conditions),
                     {.type = "Available",
                      .status = enough ? ConditionStatus::True : ConditionStatus::False,
                      .reason = enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                      .message = enough ? "Deployment has minimum availability."
                                        : "Deployment does not have minimum availability."},
                     now);
  if (!generations.current) return conditions;
  const SetSize size = size_of(*generations.current);
  const bool done = size.wanted == limits.replicas && size.available >= limits.replicas &&
                    std::ranges::all_of(generations.old,
                                        [](const Value* set) { return size_of(*set).pods == 0; });
  const std::string name(api::Metadata(*generations.current).name());
  return with_condition(
      std::move(conditions),
      {.type = "Progressing",
       .status = ConditionStatus::True,
       .reason = done ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
       .message = fmt::format("ReplicaSet \"{}\" {}", name,
                              done ? "has successfully progressed." : "is progressing.")},
      now);
}

Value status_of(const Value& deployment, const Generations& generations, Time now) {
  std::int64_t pods = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  const auto count = [&](const Value& set) {
    const SetSize size = size_of(set);
    pods += size.pods;
    available += size.available;
    ready += api::int32_field(api::field(set, "status"), "readyReplicas").value_or(0);
  };
  for (const Value* set : generations.old) count(*set);
  if (generations.current) count(*generations.current);

  Value status = api::field(deployment, "status");
  const auto set_count = [&status](std::string_view name, std::int64_t number) {
    if (number == 0) {
      if (!status.is_null()) status.erase(name);  // Upstream leaves zeros out.
    } else {
      status[name] = number;
    }
  };
  const std::int64_t wanted = rollout_limits(deployment).replicas;
  status["observedGeneration"] = api::Metadata(deployment).generation();
  set_count("replicas", pods);
  set_count("updatedReplicas", generations.current ? size_of(*generations.current).pods : 0);
  set_count("readyReplicas", ready);
  set_count("availableReplicas", available);
  set_count("unavailableReplicas", std::max<std::int64_t>(std::max(wanted, pods) - available, 0));
  status["conditions"] = conditions_of(deployment, generations, available, now);
  return status;
}

std::vector<SetSize> sizes_of(const std::vector<const Value*>& sets) {
  std::vector<SetSize> sizes;
  for (const Value* set : sets) sizes.push_back(size_of(*set));
  return sizes;
}

// Sets that a rollback can still return to are kept, up to a limit.
WorkloadPlan forget_history(WorkloadPlan plan, const Value& deployment,
                            const std::vector<const Value*>& old) {
  std::vector<const Value*> empty;
  for (const Value* set : old) {
    const SetSize size = size_of(*set);
    if (size.wanted == 0 && size.pods == 0) empty.push_back(set);
  }
  std::ranges::sort(empty, {}, [](const Value* set) {
    return std::pair(revision_of(*set), api::Metadata(*set).name());
  });
  const std::int64_t kept = api::int32_field(api::field(deployment, "spec"), "revisionHistoryLimit")
                                .value_or(kHistoryDefault);
  for (std::size_t i = 0; static_cast<std::int64_t>(empty.size() - i) > kept; ++i) {
    plan.remove(Kind::ReplicaSets, *empty[i]);
  }
  return plan;
}

WorkloadPlan roll(WorkloadPlan plan, const Value& deployment, const Generations& generations) {
  const RolloutLimits limits = rollout_limits(deployment);
  const auto current =
      generations.current ? std::optional(size_of(*generations.current)) : std::nullopt;
  const RolloutStep step = next_step(limits, current, sizes_of(generations.old));
  if (!generations.current) {
    plan.create(Kind::ReplicaSets, new_set(deployment, step.new_size, generations.revision + 1));
  } else {
    Value after = resized(*generations.current, step.new_size);
    if (revision_of(after) <= generations.revision) {  // An old one has come back.
      after["metadata"]["annotations"][kRevision] = std::to_string(generations.revision + 1);
    }
    plan.change(Kind::ReplicaSets, *generations.current, std::move(after));
  }
  for (std::size_t i = 0; i < generations.old.size(); ++i) {
    plan.change(Kind::ReplicaSets, *generations.old[i],
                resized(*generations.old[i], step.old_sizes[i]));
  }
  return plan;
}

// While it is paused only the size of what runs follows.
WorkloadPlan resize_only(WorkloadPlan plan, const Value& deployment,
                         const Generations& generations) {
  const Value* newest = generations.current;
  for (const Value* set : generations.old) {
    if (size_of(*set).wanted == 0) continue;
    if (newest && size_of(*newest).wanted > 0) return plan;  // In the middle of a rollout.
    newest = set;
  }
  if (newest) {
    plan.change(Kind::ReplicaSets, *newest, resized(*newest, rollout_limits(deployment).replicas));
  }
  return plan;
}

}  // namespace

WorkloadPlan plan_deployment(const Value& deployment, Objects sets, Time now) {
  const Generations generations = generations_of(deployment, sets);
  WorkloadPlan plan;
  if (!api::Metadata(deployment).is_being_deleted()) {
    const bool paused = api::field(api::field(deployment, "spec"), "paused").as_bool() == true;
    plan = paused ? resize_only(std::move(plan), deployment, generations)
                  : roll(std::move(plan), deployment, generations);
    plan = forget_history(std::move(plan), deployment, generations.old);
  }
  Value after = deployment;
  after["status"] = status_of(deployment, generations, now);
  if (generations.current && revision_of(deployment) != revision_of(*generations.current)) {
    after["metadata"]["annotations"][kRevision] = std::to_string(revision_of(*generations.current));
  }
  plan.change(Kind::Deployments, deployment, std::move(after));
  return plan;
}

}  // namespace berth::local
