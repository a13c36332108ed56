// KubeSchedulerConfiguration, as kube-scheduler reads it from --config: v1, and the two betas
// before it. What Berth does not have is refused by name; nothing is passed over in silence.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "nodes/profile.h"
#include "nodes/queue.h"

namespace berth::nodes {

// The plugin of the project that first kept a rebuilt pod's room. It means PodReservation.
inline constexpr std::string_view kForerunnerPlugin = "noderesourcematch-plugin";

struct LeaderElectionConfig {
  std::optional<bool> leader_elect = std::nullopt;
  std::optional<Duration> lease_duration = std::nullopt;
  std::optional<Duration> renew_deadline = std::nullopt;
  std::optional<Duration> retry_period = std::nullopt;
  std::optional<std::string> resource_name = std::nullopt;
  std::optional<std::string> resource_namespace = std::nullopt;

  bool operator==(const LeaderElectionConfig&) const = default;
};

// What is absent is decided by flags.
struct SchedulerConfig {
  std::vector<Profile> profiles = {};  // Empty: none are named.
  QueueOptions queue = {};
  LeaderElectionConfig election = {};
  std::optional<std::string> kubeconfig = std::nullopt;
  std::optional<double> qps = std::nullopt;
  std::optional<double> burst = std::nullopt;

  // What was read and changes nothing, each with its reason: for the log.
  std::vector<std::string> warnings = {};
};

// Errors name the field.
Result<SchedulerConfig> read_scheduler_config(const json::Value& document);

// The same, from YAML or JSON.
Result<SchedulerConfig> parse_scheduler_config(std::string_view text);

}  // namespace berth::nodes
