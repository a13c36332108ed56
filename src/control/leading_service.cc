#include "control/leading_service.h"

#include <utility>

namespace berth::control {

LeadingService::LeadingService(const env::Env& env, client::Api& api, LeaderElectionOptions options,
                               Make make, env::Task on_lost)
    : env_(env),
      make_(std::move(make)),
      on_lost_(std::move(on_lost)),
      elector_(env, api, std::move(options),
               {.on_started = [this] { begin(); }, .on_stopped = [this] { end(); }}) {}

void LeadingService::begin() {
  content_ = make_([this] { return elector_.may_write(); });
}

void LeadingService::end() {
  content_ = nullptr;
  if (releasing_ || !on_lost_) return;
  env_.loop.post(scope_.guard(std::exchange(on_lost_, nullptr)));
}

void LeadingService::release(env::Task done) {
  releasing_ = true;
  content_ = nullptr;
  elector_.release(std::move(done));
}

}  // namespace berth::control
