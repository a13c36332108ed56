#include "api/kinds/pod.h"

#include <string_view>
#include <utility>

#include "json/text_of.h"

namespace berth::api {
namespace {

PodPhase read_phase(std::string_view name) {
  if (name.empty() || name == "Pending") return PodPhase::Pending;
  if (name == "Running") return PodPhase::Running;
  if (name == "Succeeded") return PodPhase::Succeeded;
  if (name == "Failed") return PodPhase::Failed;
  return PodPhase::Unknown;
}

std::int32_t read_priority(const json::Value& pod) {
  const json::Value* value = pod.find_path({"spec", "priority"});
  const std::int64_t priority = value ? value->as_int().value_or(0) : 0;
  return std::in_range<std::int32_t>(priority) ? static_cast<std::int32_t>(priority) : 0;
}

}  // namespace

Pod Pod::from_json(const json::Value& pod) {
  const Metadata metadata(pod);
  return {.key = metadata.key(),
          .uid = std::string(metadata.uid()),
          .node_name = std::string(text_at(pod, {"spec", "nodeName"})),
          .scheduler_name = std::string(text_at(pod, {"spec", "schedulerName"})),
          .phase = read_phase(text_at(pod, {"status", "phase"})),
          .priority = read_priority(pod),
          .being_deleted = metadata.is_being_deleted(),
          .controller = metadata.controller(),
          .tolerations = read_tolerations(pod.find_path({"spec", "tolerations"}))};
}

}  // namespace berth::api
