// Tested by tests/kube/rebuilt_pods_test.cc.
#include "app/scheduler_program.h"

#include <utility>

namespace berth::app {
namespace {

client::ApiOptions api_options(const SchedulerSettings& settings) {
  return {.user_agent = "berth-scheduler", .rate = settings.rate};
}

}  // namespace

SchedulerProgram::SchedulerProgram(const env::Env& env, SchedulerSettings settings, Ended ended)
    : env_(env),
      settings_(std::move(settings)),
      ended_(std::move(ended)),
      api_(env, settings_.cluster, api_options(settings_)),
      events_api_(env, settings_.cluster, api_options(settings_)),
      operations_({env.clock, env.loop, env.network, env.metrics}),
      led_(
          env, api_, settings_.election,
          [this](const control::MayWrite& may_write) {
            return std::make_shared<nodes::SchedulerService>(env_, api_, events_api_, may_write,
                                                             settings_.scheduler);
          },
          [this] { end(failure(Code::Conflict, "leadership was lost")); }) {}

void SchedulerProgram::start() {
  for (const std::string& warning : settings_.warnings) {
    env_.log.warn("scheduler.config", {{"warning", warning}});
  }
  operations_.add_check(control::Probe::Ready, {"scheduler", [this] { return readiness(); }});
  const Status listening = listen(operations_, settings_.operations, env_.log);
  if (!listening.ok()) return end(listening);
  led_.start();
}

Status SchedulerProgram::readiness() const {
  if (led_.stands_by() || (led_.work() && led_.work()->has_synced())) return {};
  return failure(Code::ServiceUnavailable, "reading the cluster");
}

void SchedulerProgram::stop() {
  if (std::exchange(stopping_, true)) return;
  operations_.begin_shutdown();
  led_.stop(scope_.guard([this] { operations_.drain(scope_.guard([this] { end({}); })); }));
}

void SchedulerProgram::end(const Status& status) {
  if (!ended_) return;
  env_.loop.post(scope_.guard([ended = std::exchange(ended_, nullptr), status] { ended(status); }));
}

}  // namespace berth::app
