// What a program does while it leads, or always where nobody is elected.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "client/api_service.h"
#include "control/leading_service.h"
#include "env/env.h"

namespace berth::control {

template <typename Work>
class LedWork {
 public:
  using Make = std::function<std::shared_ptr<Work>(const MayWrite&)>;

  // `lost` runs once, later, when leadership has ended against our will. The Api outlives this.
  LedWork(const env::Env& env, client::Api& api,
          const std::optional<LeaderElectionOptions>& election, Make make, env::Task lost)
      : make_(std::move(make)) {
    if (!election) return;
    leading_ = std::make_unique<LeadingService>(
        env, api, *election,
        [this](const MayWrite& may_write) -> std::shared_ptr<void> {
          work_ = make_(may_write);
          // It is held here, and the elector's end of it lets go.
          return std::shared_ptr<void>(work_.get(), [this](void*) { work_ = nullptr; });
        },
        std::move(lost));
  }

  LedWork(const LedWork&) = delete;
  LedWork& operator=(const LedWork&) = delete;

  void start() {
    started_ = true;
    if (leading_) return leading_->start();
    work_ = make_([] { return true; });
  }

  // Ends the work and gives the lease back; then `done`.
  void stop(env::Task done) {
    if (leading_) return leading_->release(std::move(done));
    work_ = nullptr;
    done();
  }

  Work* work() const { return work_.get(); }  // Null: nothing is done here now.
  bool stands_by() const { return leading_ && started_ && !work_; }  // Another one leads.

 private:
  Make make_;
  std::shared_ptr<Work> work_;
  std::unique_ptr<LeadingService> leading_;
  bool started_ = false;
};

}  // namespace berth::control
