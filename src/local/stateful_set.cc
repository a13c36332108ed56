#include "local/stateful_set.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <string>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"
#include "local/template_hash.h"

namespace berth::local {
namespace {

using json::Value;

constexpr std::string_view kRevision = "controller-revision-hash";
constexpr std::string_view kPodName = "statefulset.kubernetes.io/pod-name";
constexpr std::string_view kPodIndex = "apps.kubernetes.io/pod-index";

struct SetView {
  std::string name = {};
  std::string revision = {};
  std::int64_t first = 0;  // The lowest ordinal.
  std::int64_t replicas = 1;
  std::int64_t partition = 0;  // Ordinals below keep their old template.
  bool in_parallel = false;
  bool on_delete = false;  // A new template comes only with a pod that somebody deleted.
  Duration ready_for = Duration::zero();

  explicit SetView(const Value& set) {
    const Value& spec = api::field(set, "spec");
    const Value& update = api::field(spec, "updateStrategy");
    name = api::Metadata(set).name();
    revision = fmt::format("{}-{}", name, template_hash(api::field(spec, "template")));
    first = api::int32_field(api::field(spec, "ordinals"), "start").value_or(0);
    replicas = api::int32_field(spec, "replicas").value_or(1);
    partition = api::int32_field(api::field(update, "rollingUpdate"), "partition").value_or(0);
    in_parallel = api::text_field(spec, "podManagementPolicy") == "Parallel";
    on_delete = api::text_field(update, "type") == "OnDelete";
    ready_for = std::chrono::seconds(api::int32_field(spec, "minReadySeconds").value_or(0));
  }

  bool contains(std::int64_t ordinal) const {
    return ordinal >= first && ordinal < first + replicas;
  }
};

std::optional<std::int64_t> ordinal_of(const SetView& set, const Value& pod) {
  const std::string_view name = api::Metadata(pod).name();
  const std::string prefix = set.name + "-";
  if (!name.starts_with(prefix)) return std::nullopt;
  return parse_int64(name.substr(prefix.size()));
}

std::string revision_of(const Value& pod) {
  return std::string(api::Metadata(pod).labels().find(kRevision).value_or(""));
}

using ByOrdinal = std::map<std::int64_t, OwnedPod>;

ByOrdinal by_ordinal(const SetView& view, Objects pods) {
  ByOrdinal found;
  for (const Value* pod : pods) {
    if (const auto ordinal = ordinal_of(view, *pod)) found.emplace(*ordinal, OwnedPod::of(*pod));
  }
  return found;
}

Value pod_at(const SetView& view, const Value& set, std::int64_t ordinal) {
  const std::string name = fmt::format("{}-{}", view.name, ordinal);
  Value pod = pod_named(set, name);
  Value& labels = pod["metadata"]["labels"];
  labels[kPodName] = name;
  labels[kPodIndex] = std::to_string(ordinal);
  labels[kRevision] = view.revision;
  pod["spec"]["hostname"] = name;
  if (const std::string service = api::text_field(api::field(set, "spec"), "serviceName");
      !service.empty()) {
    pod["spec"]["subdomain"] = service;
  }
  return pod;
}

// Creates what is missing, in order. Whether all that should be there is there and healthy.
struct Growth {
  std::vector<std::int64_t> missing = {};
  std::vector<std::int64_t> ended = {};  // To be replaced.
  bool is_complete = true;
};

Growth growth_of(const SetView& view, const ByOrdinal& pods, Time now) {
  Growth growth;
  for (std::int64_t ordinal = view.first; ordinal < view.first + view.replicas; ++ordinal) {
    const auto found = pods.find(ordinal);
    const bool healthy = found != pods.end() && found->second.is_active &&
                         found->second.is_available(now, view.ready_for);
    if (healthy) continue;
    growth.is_complete = false;
    if (found == pods.end()) {
      growth.missing.push_back(ordinal);
    } else if (!found->second.is_active &&
               !api::Metadata(*found->second.object).is_being_deleted()) {
      growth.ended.push_back(ordinal);
    }
    if (!view.in_parallel) break;  // The next ones wait for this one.
  }
  return growth;
}

Value status_of(const SetView& view, const Value& set, const ByOrdinal& pods, Time now) {
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t updated = 0;
  for (const auto& [ordinal, pod] : pods) {
    ready += pod.is_ready ? 1 : 0;
    available += pod.is_available(now, view.ready_for) ? 1 : 0;
    updated += revision_of(*pod.object) == view.revision ? 1 : 0;
  }
  const std::int64_t count = static_cast<std::int64_t>(pods.size());
  Value status = api::field(set, "status");
  const std::string before = api::text_field(status, "currentRevision");
  status["observedGeneration"] = api::Metadata(set).generation();
  status["replicas"] = count;
  status["readyReplicas"] = ready;
  status["availableReplicas"] = available;
  status["updatedReplicas"] = updated;
  status["updateRevision"] = view.revision;
  const bool done = updated == count && count == view.replicas;
  status["currentRevision"] = before.empty() || done ? view.revision : before;
  status["currentReplicas"] = done ? count : count - updated;
  return status;
}

}  // namespace

WorkloadPlan plan_stateful_set(const Value& set, Objects pods, Time now) {
  WorkloadPlan plan;
  const SetView view(set);
  const ByOrdinal existing = by_ordinal(view, pods);
  if (!api::Metadata(set).is_being_deleted()) {
    const Growth growth = growth_of(view, existing, now);
    for (const std::int64_t ordinal : growth.missing) {
      plan.create(Kind::Pods, pod_at(view, set, ordinal));
    }
    for (const std::int64_t ordinal : growth.ended) {
      plan.remove(Kind::Pods, *existing.at(ordinal).object);
    }
    // From the highest on: first what is too many, then what has an old template, one at a time.
    for (const auto& [ordinal, pod] : existing | std::views::reverse) {
      if (!pod.is_active) {
        if (!view.in_parallel) break;
        continue;
      }
      const bool surplus = !view.contains(ordinal);
      const bool outdated = growth.is_complete && !view.on_delete && ordinal >= view.partition &&
                            revision_of(*pod.object) != view.revision;
      if (!surplus && !outdated) continue;
      plan.remove(Kind::Pods, *pod.object);
      if (!surplus || !view.in_parallel) break;
    }
  }
  for (const auto& [ordinal, pod] : existing) {
    if (pod.becomes_available_after(now, view.ready_for)) {
      plan.look_again_at(*pod.ready_since + view.ready_for);
    }
  }
  Value after = set;
  after["status"] = status_of(view, set, existing, now);
  plan.change(Kind::StatefulSets, set, std::move(after));
  return plan;
}

}  // namespace berth::local
