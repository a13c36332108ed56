#include "apiserver/tables/pod_summary.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "apiserver/tables/cells.h"

namespace berth::apiserver {
namespace {

using json::Value;

bool is_sidecar(const Value& container) {
  return api::text_field(container, "restartPolicy") == "Always";
}

bool is_sidecar(const Value& pod, std::string_view name) {
  return std::ranges::any_of(
      at(pod, "spec.initContainers").elements(), [&](const Value& container) {
        return api::text_field(container, "name") == name && is_sidecar(container);
      });
}

bool is_true(const Value& object, std::string_view name) {
  return api::field(object, name).as_bool().value_or(false);
}

// What the containers looked at so far add up to.
struct Restarts {
  std::int64_t count = 0;
  std::optional<Time> last = std::nullopt;

  void add(const Value& status) {
    count += api::integer_field(status, "restartCount").value_or(0);
    const auto finished = time_at(status, "lastState.terminated.finishedAt");
    if (finished && finished != Time::min()) last = std::max(last, finished);
  }
};

// Why a container ended: "Error", "Signal:9", "ExitCode:1".
std::string end_of(const Value& terminated) {
  if (std::string reason = api::text_field(terminated, "reason"); !reason.empty()) return reason;
  if (const auto signal = integer_at(terminated, "signal"); signal != 0) {
    return fmt::format("Signal:{}", signal);
  }
  return fmt::format("ExitCode:{}", integer_at(terminated, "exitCode"));
}

// Init containers run one after the other: the first that is not done says how far the pod got.
struct Initialization {
  Restarts all;
  Restarts sidecars;
  std::int64_t ready = 0;
  std::optional<std::string> status = std::nullopt;  // While it is not over: "Init:0/2".
};

std::string init_status(const Value& status, std::size_t index, std::size_t count) {
  if (const Value& terminated = at(status, "state.terminated"); terminated.is_object()) {
    return "Init:" + end_of(terminated);
  }
  const std::string waiting = text_at(status, "state.waiting.reason");
  if (!waiting.empty() && waiting != "PodInitializing") return "Init:" + waiting;
  return fmt::format("Init:{}/{}", index, count);
}

Initialization look_at_init_containers(const Value& pod) {
  Initialization found;
  const std::span<const Value> statuses = at(pod, "status.initContainerStatuses").elements();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const Value& status = statuses[i];
    const bool sidecar = is_sidecar(pod, api::text_field(status, "name"));
    found.all.add(status);
    if (sidecar) found.sidecars.add(status);

    const Value& terminated = at(status, "state.terminated");
    if (terminated.is_object() && integer_at(terminated, "exitCode") == 0) continue;
    if (sidecar && is_true(status, "started")) {
      if (is_true(status, "ready")) ++found.ready;
      continue;
    }
    found.status = init_status(status, i, at(pod, "spec.initContainers").size());
    break;
  }
  return found;
}

// Adds the containers themselves, the last one first: the first of them has the last word.
PodSummary with_containers(const Value& pod, PodSummary summary) {
  Restarts restarts = {.count = summary.restarts, .last = summary.last_restart};
  bool has_running = false;
  std::string failure;
  for (const Value& status : at(pod, "status.containerStatuses").elements() | std::views::reverse) {
    restarts.add(status);
    const std::string waiting = text_at(status, "state.waiting.reason");
    const Value& terminated = at(status, "state.terminated");
    if (!waiting.empty()) {
      summary.status = waiting;
    } else if (terminated.is_object()) {
      summary.status = end_of(terminated);
      if (integer_at(terminated, "exitCode") != 0) failure = summary.status;
    } else if (is_true(status, "ready") && at(status, "state.running").is_object()) {
      has_running = true;
      ++summary.ready;
    }
  }
  summary.restarts = restarts.count;
  summary.last_restart = restarts.last;
  if (summary.status != "Completed") return summary;
  // Some containers may be done while others still run or failed.
  if (has_running && api::is_condition_true(pod, "Ready")) {
    summary.status = "Running";
  } else if (!failure.empty()) {
    summary.status = failure;
  } else if (has_running) {
    summary.status = "NotReady";
  }
  return summary;
}

std::string status_by_phase(const Value& pod) {
  const Value* scheduled = api::find_condition(at(pod, "status.conditions"), "PodScheduled");
  if (scheduled && api::text_field(*scheduled, "reason") == "SchedulingGated") {
    return "SchedulingGated";
  }
  const std::string reason = text_at(pod, "status.reason");
  return reason.empty() ? text_at(pod, "status.phase") : reason;
}

}  // namespace

PodSummary summarize_pod(const Value& pod) {
  const auto is_sidecar_container = [](const Value& container) { return is_sidecar(container); };
  const auto sidecars =
      std::ranges::count_if(at(pod, "spec.initContainers").elements(), is_sidecar_container);
  const Initialization initialization = look_at_init_containers(pod);

  PodSummary summary;
  summary.containers = std::ssize(at(pod, "spec.containers").elements()) + sidecars;
  summary.ready = initialization.ready;
  summary.status = initialization.status.value_or(status_by_phase(pod));
  const bool is_initialized = !initialization.status || api::is_condition_true(pod, "Initialized");
  const Restarts& restarts = is_initialized ? initialization.sidecars : initialization.all;
  summary.restarts = restarts.count;
  summary.last_restart = restarts.last;
  if (is_initialized) summary = with_containers(pod, std::move(summary));

  if (at(pod, "metadata.deletionTimestamp").is_null()) return summary;
  const std::string phase = text_at(pod, "status.phase");
  if (text_at(pod, "status.reason") == "NodeLost") {
    summary.status = "Unknown";
  } else if (phase != "Succeeded" && phase != "Failed") {
    summary.status = "Terminating";
  }
  return summary;
}

}  // namespace berth::apiserver
