// A pod in four words, as `kubectl get pods` shows it: how many containers are ready, what it is
// doing, how often it was restarted and when.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

struct PodSummary {
  std::int64_t ready = 0;
  std::int64_t containers = 0;  // Sidecars count too.
  std::string status = {};      // A phase, or what keeps it from running: "CrashLoopBackOff".
  std::int64_t restarts = 0;
  std::optional<Time> last_restart = std::nullopt;
};

PodSummary summarize_pod(const json::Value& pod);

}  // namespace berth::apiserver
