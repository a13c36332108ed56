// Deletes Events an hour after they happened last, steadily and not in bursts.

#pragma once

#include <vector>

#include "client/api_service.h"
#include "client/follower_service.h"
#include "control/committer_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "upkeep/event_ages.h"

namespace berth::upkeep {

struct EventsOptions {
  Duration lifetime = std::chrono::hours(1);
  std::size_t deletions_per_second = 500;
};

class EventsController {
 public:
  // All that is borrowed outlives the controller.
  EventsController(const env::Env& env, client::Api& api, const control::MayWrite& may_write,
                   const EventsOptions& options = {});

  bool has_synced() const { return follower_.has_synced(); }
  std::size_t events() const { return ages_.size(); }

 private:
  void tick();
  void remove(const EventAges::Expired& expired);

  env::Env env_;
  client::Api& api_;
  control::MayWrite may_write_;
  EventsOptions options_;
  EventAges ages_;
  std::size_t in_flight_ = 0;
  env::Timer timer_ = {};
  client::Follower follower_;
  env::Scope scope_;
};

}  // namespace berth::upkeep
