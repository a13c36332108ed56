// What a pod's status says, from how its containers stand: the part of a kubelet that others see.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/time.h"
#include "json/value.h"

namespace berth::local {

enum class ContainerPhase : std::uint8_t { Waiting, Running, Ended };

// How one container stands; in the order of spec.containers.
struct ContainerState {
  ContainerPhase phase = ContainerPhase::Waiting;
  std::string reason = "ContainerCreating";  // Why it waits or how it ended.
  std::string message = {};
  std::optional<Time> started = std::nullopt;  // Of this run, or the one that ended.
  std::optional<Time> ended = std::nullopt;
  int exit_code = 0;
  int restarts = 0;
  bool comes_again = false;  // It ended or waits, and will be started again.
};

enum class RestartPolicy : std::uint8_t { Always, OnFailure, Never };
RestartPolicy restart_policy(const json::Value& pod);

// Whether a container that ended like that is started again.
bool is_restarted(RestartPolicy policy, int exit_code);

// The whole status, with `now` where something changed. The address is empty until it runs.
json::Value pod_status(const json::Value& pod, std::span<const ContainerState> containers,
                       const std::string& address, Time now);

}  // namespace berth::local
