// Runs something while, and only while, this process leads.

#pragma once

#include <functional>
#include <memory>

#include "client/api_service.h"
#include "control/committer_service.h"
#include "control/elector_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::control {

class LeadingService {
 public:
  // Makes what runs while leading; it dies when leadership ends. MayWrite is to be asked before
  // every write.
  using Make = std::function<std::shared_ptr<void>(MayWrite)>;

  // The Api outlives the service. `on_lost` runs once, later, when leadership has ended against our
  // will: programs exit then, so that they begin anew with a clean picture. Without it, what runs
  // is made anew when this process leads again.
  LeadingService(const env::Env& env, client::Api& api, LeaderElectionOptions options, Make make,
                 env::Task on_lost);

  void start() { elector_.start(); }

  // Ends what runs, gives the lease back, and says so.
  void release(env::Task done);

  bool leading() const { return content_ != nullptr; }
  const ElectorService& elector() const { return elector_; }

 private:
  void begin();
  void end();

  env::Env env_;
  Make make_;
  env::Task on_lost_;
  ElectorService elector_;
  std::shared_ptr<void> content_;
  bool releasing_ = false;
  env::Scope scope_;
};

}  // namespace berth::control
