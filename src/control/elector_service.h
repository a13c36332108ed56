// Keeps one of several processes the leader, by a Lease on the server.

#pragma once

#include <functional>
#include <string>

#include "client/api_service.h"
#include "control/leader_election.h"
#include "env/clock.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/metrics.h"
#include "env/scope.h"

namespace berth::control {

// Called on the loop.
struct LeadershipCallbacks {
  std::function<void()> on_started;  // We lead from now on.
  std::function<void()> on_stopped;  // We no longer do. May come at any time after on_started.
};

class ElectorService {
 public:
  // The Api outlives the service; the options have passed check_leader_election_options.
  ElectorService(const env::Env& env, client::Api& api, LeaderElectionOptions options,
                 LeadershipCallbacks callbacks);

  void start();

  // Gives the lease back so that another can lead at once; `done` runs when that is said or has
  // failed.
  void release(env::Task done);

  bool leading() const { return !released_ && elector_.leading(); }
  bool may_write() const;
  const std::string& holder() const { return elector_.holder(); }

  // Why the lease could not be read or written last; empty while all is well.
  const std::string& trouble() const { return trouble_; }

 private:
  void follow(LeaderElector::Step step);
  void arm_deadline();
  void tell();
  void write(Result<client::RestRequest> request);
  void make_namespace();
  void give_back();
  void note(const Result<json::Value>& answer);
  Moment moment() const;
  client::ResourcePath path(std::string name) const;

  env::Env env_;
  client::Api& api_;
  LeaderElectionOptions options_;
  LeadershipCallbacks callbacks_;
  LeaderElector elector_;
  bool told_leading_ = false;
  bool writing_ = false;  // A write has not been answered yet.
  bool released_ = false;
  env::Task on_released_ = {};
  std::string trouble_ = {};
  std::string told_trouble_ = {};
  env::Gauge& leading_gauge_;
  env::Timer timer_ = {};
  env::Timer deadline_ = {};
  env::Scope scope_;
};

}  // namespace berth::control
