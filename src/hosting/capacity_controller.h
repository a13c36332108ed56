// Publishes hosting-capacity for every host: what changed soon, the rest before it ends.

#pragma once

#include <string>

#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "hosting/hosting_kinds_controller.h"
#include "hosting/situation.h"

namespace berth::hosting {

class CapacityController {
 public:
  // All that is borrowed outlives the controller.
  CapacityController(const env::Env& env, control::Committer& committer,
                     const HostingFollowed& followed, const Situation& situation);

  void start() { reconciler_.start(); }
  void add(const std::string& host);  // In a moment: more may change at once.

 private:
  void work(const std::string& host);

  env::Env env_;
  control::Committer& committer_;
  const HostingFollowed& followed_;
  const Situation& situation_;
  control::Reconciler<std::string> reconciler_;
  env::Scope scope_;
};

}  // namespace berth::hosting
