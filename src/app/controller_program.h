// Berth's controllers on one hub: what `berth controllers` runs on its loop.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/operations_flags.h"
#include "client/api_service.h"
#include "client/informers_service.h"
#include "control/led_work_service.h"
#include "control/operations_service.h"
#include "control/recorder_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/addons/addon_options.h"
#include "fleet/registration/cluster_plan.h"
#include "nodes/reservation_controller.h"
#include "placement/clustersets/clustersets_controller.h"
#include "placement/placement_controller.h"
#include "scores/hub_scores_controller.h"

namespace berth::app {

struct ControllerSettings {
  client::ClientConfig hub;
  RateLimit rate = {};
  std::set<std::string> controllers = {};                                 // By name.
  std::optional<control::LeaderElectionOptions> election = std::nullopt;  // Absent: always leads.
  placement::PlacementControllerOptions placement = {};
  scores::ScoreSourceOptions score_sources = {};
  fleet::HubOptions registration = {};
  fleet::AddOnOptions add_ons = {};
  nodes::RebuildOptions reservation = {};
  std::string host = {};  // Names this process in events.
  bool takes_over = false;
  OperationsAddresses operations = {};
};

class ControllerProgram {
 public:
  // Ended because of that; ok after stop().
  using Ended = std::function<void(const Status&)>;

  // `ended` runs once, later, on the loop.
  ControllerProgram(const env::Env& env, ControllerSettings settings, Ended ended);
  ~ControllerProgram();

  void start();

  // Not ready any more, gives the lease back, ends what is open; then `ended`.
  void stop();

 private:
  // What lives only while leading.
  struct Work;

  void end(const Status& status);
  void add_debug_route();
  void check_rivals();
  void on_leases(const Result<client::WholeList>& leases);
  Status readiness() const;

  env::Env env_;
  ControllerSettings settings_;
  Ended ended_;
  client::Api api_;
  client::Api events_api_;  // Events never wait in line before decisions.
  control::Operations operations_;
  control::LedWork<Work> led_;
  bool stopping_ = false;
  env::Scope scope_;
};

}  // namespace berth::app
