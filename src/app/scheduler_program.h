// What `berth scheduler` runs on its loop.

#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/operations_flags.h"
#include "client/api_service.h"
#include "control/led_work_service.h"
#include "control/operations_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "nodes/scheduler_service.h"

namespace berth::app {

struct SchedulerSettings {
  client::ClientConfig cluster;
  RateLimit rate = {};
  nodes::SchedulerOptions scheduler;
  std::optional<control::LeaderElectionOptions> election = std::nullopt;  // Absent: always leads.
  OperationsAddresses operations = {};
  std::vector<std::string> warnings = {};  // Of the configuration; logged at the start.
};

class SchedulerProgram {
 public:
  // Ended because of that; ok after stop().
  using Ended = std::function<void(const Status&)>;

  // `ended` runs once, later, on the loop.
  SchedulerProgram(const env::Env& env, SchedulerSettings settings, Ended ended);

  void start();

  // Not ready any more, gives the lease back, ends what is open; then `ended`.
  void stop();

 private:
  Status readiness() const;
  void end(const Status& status);

  env::Env env_;
  SchedulerSettings settings_;
  Ended ended_;
  client::Api api_;
  client::Api events_api_;  // Events never wait in line before bindings.
  control::Operations operations_;
  control::LedWork<nodes::SchedulerService> led_;
  bool stopping_ = false;
  env::Scope scope_;
};

}  // namespace berth::app
