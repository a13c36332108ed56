#include "api/pod_requests.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "json/text_of.h"

namespace berth::api {
namespace {

constexpr std::string_view kRequests = "requests";
constexpr std::string_view kLimits = "limits";

// Containers can ask for anything, a pod as a whole only for these.
bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

bool names_pod_level_resource(const ResourceList& list) {
  return std::ranges::any_of(list.entries(), [](const ResourceAmount& entry) {
    return is_pod_level_resource(entry.name);
  });
}

std::span<const json::Value> list_at(const json::Value& pod, std::string_view part,
                                     std::string_view name) {
  const json::Value* list = pod.find_path({part, name});
  return list ? list->elements() : std::span<const json::Value>();
}

bool is_present(const json::Value* value) { return value && !value->is_null(); }

bool is_sidecar(const json::Value& container) {
  return text_of(container, "restartPolicy") == "Always";
}

bool is_resize_infeasible(const json::Value& pod) {
  for (const json::Value& condition : list_at(pod, "status", "conditions")) {
    if (text_of(condition, "type") == "PodResizePending") {
      return text_of(condition, "reason") == "Infeasible";
    }
  }
  return false;
}

// Sums up one side (requests or limits) of one pod.
class PodSum {
 public:
  PodSum(const json::Value& pod, const PodResourcesOptions& options, std::string_view side)
      : pod_(pod), options_(options), side_(side), infeasible_(is_resize_infeasible(pod)) {
    if (!options.use_status) return;
    // Of several with one name the last counts, init containers after the others.
    for (const std::string_view list : {"containerStatuses", "initContainerStatuses"}) {
      for (const json::Value& status : list_at(pod, "status", list)) {
        statuses_.insert_or_assign(text_of(status, "name"), &status);
      }
    }
  }

  Result<ResourceList> sum_containers() const {
    ResourceList running;
    for (const json::Value& container : list_at(pod_, "spec", "containers")) {
      ASSIGN_OR_RETURN(const ResourceList needs, needs_of(container, HasStatus::Yes));
      running.add(needs);
    }
    ResourceList sidecars;
    ResourceList starting;  // The most that is needed while any init container runs.
    for (const json::Value& container : list_at(pod_, "spec", "initContainers")) {
      const bool stays = is_sidecar(container);
      ASSIGN_OR_RETURN(ResourceList needs,
                       needs_of(container, stays ? HasStatus::Yes : HasStatus::No));
      if (stays) {
        running.add(needs);
        sidecars.add(needs);
        starting.raise_to(sidecars);
      } else {
        needs.add(sidecars);
        starting.raise_to(needs);
      }
    }
    running.raise_to(starting);
    return running;
  }

  // spec.resources of the pod itself replace what the containers sum up to.
  Result<ResourceList> apply_pod_level(ResourceList sum) const {
    ASSIGN_OR_RETURN(const ResourceList wished, read(pod_, {"spec", "resources", side_}));
    const json::Value* in_force = pod_.find_path({"status", "resources"});
    const bool resizes = options_.use_status && options_.use_pod_level_status;
    ResourceList effective = wished;
    if (resizes && is_present(in_force)) {
      ASSIGN_OR_RETURN(effective, effective_of(wished, *pod_.find("status")));
      // Without limits in force, those of the spec stand even when they cannot be had.
      const bool silent = side_ == kLimits && infeasible_ && !is_present(in_force->find(kLimits));
      if (silent) effective = wished;
    }
    for (const ResourceAmount& entry : wished.entries()) {
      if (is_pod_level_resource(entry.name)) sum.set(entry.name, effective.amount(entry.name));
    }
    return sum;
  }

 private:
  // Only containers that go on running can be resized.
  enum class HasStatus { No, Yes };

  static Result<ResourceList> read(const json::Value& object,
                                   std::initializer_list<std::string_view> path) {
    auto list = ResourceList::from_json(object.find_path(path));
    if (list.ok()) return list;
    std::string place;
    for (const std::string_view name : path)
      place += (place.empty() ? "" : ".") + std::string(name);
    return failure(std::move(list).error().in_context(place));
  }

  Result<ResourceList> needs_of(const json::Value& container, HasStatus has_status) const {
    const std::string_view name = text_of(container, "name");
    auto needs = needs_of_named(container, name, has_status);
    if (!needs.ok()) {
      return failure(std::move(needs).error().in_context(fmt::format("container {}", name)));
    }
    if (side_ == kRequests) needs->fill_missing(options_.container_defaults);
    return needs;
  }

  Result<ResourceList> needs_of_named(const json::Value& container, std::string_view name,
                                      HasStatus has_status) const {
    ASSIGN_OR_RETURN(ResourceList wished, read(container, {"resources", side_}));
    if (has_status == HasStatus::No) return wished;
    const auto status = statuses_.find(name);
    if (status == statuses_.end() || !is_present(status->second->find("resources"))) return wished;
    return effective_of(wished, *status->second);
  }

  // A resize that cannot be done does not count; any other counts as if it were done.
  Result<ResourceList> effective_of(const ResourceList& wished, const json::Value& status) const {
    ASSIGN_OR_RETURN(ResourceList effective, read(status, {"resources", side_}));
    if (side_ == kRequests) {
      ASSIGN_OR_RETURN(const ResourceList granted, read(status, {"allocatedResources"}));
      effective.raise_to(granted);
    }
    if (!infeasible_) effective.raise_to(wished);
    return effective;
  }

  const json::Value& pod_;
  const PodResourcesOptions& options_;
  std::string_view side_;
  bool infeasible_;
  std::map<std::string_view, const json::Value*> statuses_;  // By container.
};

Result<ResourceList> read_overhead(const json::Value& pod) {
  auto overhead = ResourceList::from_json(pod.find_path({"spec", "overhead"}));
  if (!overhead.ok()) return failure(std::move(overhead).error().in_context("spec.overhead"));
  return overhead;
}

}  // namespace

Result<ResourceList> pod_requests(const json::Value& pod, const PodResourcesOptions& options) {
  const PodSum pod_sum(pod, options, kRequests);
  ASSIGN_OR_RETURN(ResourceList sum, pod_sum.sum_containers());
  if (options.use_pod_level) {
    ASSIGN_OR_RETURN(sum, pod_sum.apply_pod_level(std::move(sum)));
  }
  if (options.with_overhead) {
    ASSIGN_OR_RETURN(const ResourceList overhead, read_overhead(pod));
    sum.add(overhead);
  }
  return sum;
}

Result<ResourceList> pod_limits(const json::Value& pod, const PodResourcesOptions& options) {
  const PodSum pod_sum(pod, options, kLimits);
  ASSIGN_OR_RETURN(ResourceList sum, pod_sum.sum_containers());
  if (options.use_pod_level) {
    ASSIGN_OR_RETURN(sum, pod_sum.apply_pod_level(std::move(sum)));
  }
  if (options.with_overhead) {
    ASSIGN_OR_RETURN(const ResourceList overhead, read_overhead(pod));
    for (const ResourceAmount& entry : overhead.entries()) {
      const Quantity limit = sum.amount(entry.name);
      if (!limit.is_zero()) sum.set(entry.name, limit + entry.amount);
    }
  }
  return sum;
}

Result<ResourceList> pod_nonzero_requests(const json::Value& pod,
                                          const PodResourcesOptions& options) {
  constexpr std::int64_t kMemoryDefault = 200 << 20;
  ASSIGN_OR_RETURN(const ResourceList plain, pod_requests(pod, options));
  const auto pod_level = ResourceList::from_json(pod.find_path({"spec", "resources", kRequests}));
  const bool is_pod_level =
      options.use_pod_level && pod_level.ok() && names_pod_level_resource(*pod_level);
  PodResourcesOptions with_defaults = options;
  if (!is_pod_level || !plain.find("cpu")) {
    with_defaults.container_defaults.set("cpu", Quantity::from_milli(100));
  }
  if (!is_pod_level || !plain.find("memory")) {
    with_defaults.container_defaults.set("memory", Quantity(kMemoryDefault));
  }
  return pod_requests(pod, with_defaults);
}

}  // namespace berth::api
