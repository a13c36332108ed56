#include "local/pod_status.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/rfc3339.h"

namespace berth::local {
namespace {

using api::ConditionStatus;
using json::Value;

std::string_view phase_of(std::span<const ContainerState> containers) {
  const auto is = [](ContainerPhase phase) {
    return [phase](const ContainerState& state) { return state.phase == phase; };
  };
  const auto ended_well = [](const ContainerState& state) { return state.exit_code == 0; };
  const auto comes_again = [](const ContainerState& state) { return state.comes_again; };
  if (std::ranges::any_of(containers, is(ContainerPhase::Running))) return "Running";
  if (std::ranges::any_of(containers, comes_again)) return "Running";
  if (!std::ranges::all_of(containers, is(ContainerPhase::Ended))) return "Pending";
  return std::ranges::all_of(containers, ended_well) ? "Succeeded" : "Failed";
}

Value ended_state(const ContainerState& state) {
  Value ended = Value::object({{"exitCode", state.exit_code}, {"reason", state.reason}});
  if (!state.message.empty()) ended["message"] = state.message;
  if (state.started) ended["startedAt"] = format_seconds(*state.started);
  if (state.ended) ended["finishedAt"] = format_seconds(*state.ended);
  return ended;
}

Value state_of(const ContainerState& state) {
  switch (state.phase) {
    case ContainerPhase::Running:
      return Value::object(
          {{"running", Value::object({{"startedAt", format_seconds(*state.started)}})}});
    case ContainerPhase::Ended:
      return Value::object({{"terminated", ended_state(state)}});
    case ContainerPhase::Waiting:
      break;
  }
  Value waiting = Value::object({{"reason", state.reason}});
  if (!state.message.empty()) waiting["message"] = state.message;
  return Value::object({{"waiting", std::move(waiting)}});
}

Value container_status(const Value& container, const ContainerState& state) {
  const bool running = state.phase == ContainerPhase::Running;
  Value status = Value::object({{"name", api::text_field(container, "name")},
                                {"image", api::text_field(container, "image")},
                                {"imageID", api::text_field(container, "image")},
                                {"ready", running},
                                {"started", running},
                                {"restartCount", state.restarts},
                                {"state", state_of(state)}});
  if (state.phase != ContainerPhase::Ended && state.ended) {
    status["lastState"] = Value::object({{"terminated", ended_state(state)}});
  }
  return status;
}

Value conditions_of(const Value& pod, std::string_view phase,
                    std::span<const ContainerState> containers, Time now) {
  const bool over = phase == "Succeeded" || phase == "Failed";
  const bool ready = !over && std::ranges::all_of(containers, [](const ContainerState& state) {
    return state.phase == ContainerPhase::Running;
  });
  const std::string reason = ready                  ? ""
                             : phase == "Succeeded" ? "PodCompleted"
                             : phase == "Failed"    ? "PodFailed"
                                                    : "ContainersNotReady";
  Value conditions = api::field(api::field(pod, "status"), "conditions");
  const auto set = [&](std::string type, bool truth, std::string why) {
    conditions =
        api::with_condition(std::move(conditions),
                            {.type = std::move(type),
                             .status = truth ? ConditionStatus::True : ConditionStatus::False,
                             .reason = std::move(why)},
                            now);
  };
  set("PodScheduled", true, "");
  set("Initialized", true, over ? "PodCompleted" : "");
  set("ContainersReady", ready, reason);
  set("Ready", ready, reason);
  return conditions;
}

}  // namespace

RestartPolicy restart_policy(const Value& pod) {
  const std::string policy = api::text_field(api::field(pod, "spec"), "restartPolicy");
  if (policy == "Never") return RestartPolicy::Never;
  if (policy == "OnFailure") return RestartPolicy::OnFailure;
  return RestartPolicy::Always;
}

bool is_restarted(RestartPolicy policy, int exit_code) {
  if (policy == RestartPolicy::OnFailure) return exit_code != 0;
  return policy == RestartPolicy::Always;
}

Value pod_status(const Value& pod, std::span<const ContainerState> containers,
                 const std::string& address, Time now) {
  const std::string_view phase = phase_of(containers);
  Value status = api::field(pod, "status");
  status["phase"] = phase;
  status["conditions"] = conditions_of(pod, phase, containers, now);
  if (api::text_field(status, "startTime").empty()) status["startTime"] = format_seconds(now);
  if (!address.empty()) {
    status["podIP"] = address;
    status["podIPs"] = Value::array({Value::object({{"ip", address}})});
  }
  const auto described = api::elements_field(api::field(pod, "spec"), "containers");
  Value statuses = Value::array();
  for (std::size_t i = 0; i < std::min(described.size(), containers.size()); ++i) {
    statuses.push_back(container_status(described[i], containers[i]));
  }
  status["containerStatuses"] = std::move(statuses);
  return status;
}

}  // namespace berth::local
