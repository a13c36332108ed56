// Keeps the decisions of all Placements of a hub right: follows what they depend on, plans those
// that a change concerns, and writes what is missing.
//
// A placement is in work from its plan until the caches show what was written for it, so no plan is
// made on an old picture of its own decisions. Meanwhile the fleet counts the decisions as planned.
// What it wrote itself wakes no placement: a choice changes only when something else has changed.
//
// A run whose expressions cost much goes to a line, whose first ones take turns, one slice at a
// time with a pause in between: so the loop serves everybody else meanwhile, the lease included.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "control/recorder_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "placement/fleet/watched_kinds.h"
#include "placement/plugin_metrics_service.h"
#include "placement/situation.h"
#include "placement/writing/plan_commit.h"

namespace berth::placement {

struct PlacementControllerOptions {
  Options engine = {};
  std::size_t in_flight_max = 64;                      // Placements that are written at a time.
  Duration tick = std::chrono::seconds(10);            // How late a stepped clock is noticed.
  Duration cache_patience = std::chrono::seconds(30);  // Then a cache that lags is taken as it is.
  Duration events_patience = std::chrono::seconds(5);  // Events wait for decisions, not longer.
};

class PlacementController {
 public:
  // All that is borrowed outlives the controller.
  PlacementController(const env::Env& env, client::Api& api, client::Informers& informers,
                      control::RecorderService& recorder, control::MayWrite may_write,
                      PlacementControllerOptions options);

  // Whether everything has been read, and decisions are being made.
  bool has_synced() const { return followed_.has_synced(); }

  // Whether nothing is to be done before something changes or expires.
  bool is_idle() const { return reconciler_.is_idle(); }

  const Situation& situation() const { return situation_; }
  std::uint64_t writes() const { return committer_.writes(); }
  std::uint64_t plans() const { return plans_; }

 private:
  struct Work {
    std::shared_ptr<PlanCommit> commit;
    Instant began;
    std::string placement_version;                // That was planned for.
    bool runs_again;                              // Though nothing else may change.
    std::set<std::string> decisions = {};         // Names that are taken from the cache at the end.
    std::optional<Status> status = std::nullopt;  // Of the writes, when they have ended.
    int caches_awaited = 0;
  };

  // One that is not finished after a slice.
  struct Run {
    api::ObjectKey key;
    std::optional<ScheduleRun> begun = std::nullopt;  // None: it begins with its next turn.
    std::string placement_version = {};               // That it began with.
    Duration lasted = Duration::zero();
  };

  void refresh(Watched kind, const api::ObjectKey& key);

  // Takes an object as the cache shows it into the situation; the placements that it concerns.
  std::vector<api::ObjectKey> take(Watched kind, const api::ObjectKey& key);
  std::string version_of(Watched kind, const api::ObjectKey& key) const;  // Empty: not there.
  bool defer(const api::ObjectKey& decision, const client::Object* object);
  void put_all_clusters();
  void on_synced();

  void enqueue(const std::vector<api::ObjectKey>& keys);
  void begin(const api::ObjectKey& key);

  // One slice; the run, if that does not end it.
  std::optional<Run> go_on(Run run);
  void take_turn();
  void arm_slice();
  void submit(const api::ObjectKey& key, Plan plan);
  void on_committed(const api::ObjectKey& key, const Status& status);
  void await_caches(const api::ObjectKey& key);
  void finish(const api::ObjectKey& key);

  // Takes up what came while the placement was in work; whether it is more than its own writes.
  bool take_up(const api::ObjectKey& key, const Work& work);
  void tell(const api::ObjectKey& key, const PlanCommit& commit);
  void pace_events();

  void set_expiry(const api::ObjectKey& key, std::optional<Time> when);
  void on_tick();
  void arm_tick();

  env::Env env_;
  control::RecorderService& recorder_;
  PlacementControllerOptions options_;
  PluginMetrics plugin_metrics_;
  Situation situation_;
  control::Committer committer_;
  control::Reconciler<api::ObjectKey> reconciler_;
  std::map<api::ObjectKey, Work> in_work_;
  std::deque<Run> line_ = {};  // The first of it take turns.
  std::uint64_t plans_ = 0;

  std::map<api::ObjectKey, Time> expiry_of_;
  std::set<std::pair<Time, api::ObjectKey>> expiries_;
  std::optional<Instant> events_since_ = std::nullopt;  // Since when they wait.

  env::Histogram& scheduling_seconds_;
  env::Histogram& bind_seconds_;
  env::Timer tick_ = {};
  env::Timer slice_ = {};
  control::Followed<Watched> followed_;  // Late: it tells everything else what changed.
  env::Scope scope_;
};

}  // namespace berth::placement
