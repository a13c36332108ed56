// What it answers is tested by nodes/extender_service_test.cc.
#include "app/extender_program.h"

#include <utility>

namespace berth::app {

ExtenderProgram::ExtenderProgram(const env::Env& env, ExtenderSettings settings, Ended ended)
    : env_(env),
      settings_(std::move(settings)),
      ended_(std::move(ended)),
      api_(env, settings_.cluster, {.user_agent = "berth-extender", .rate = settings_.rate}),
      operations_({env.clock, env.loop, env.network, env.metrics}),
      extender_(env, api_),
      questions_({env.clock, env.loop, env.network, env.metrics}) {}

void ExtenderProgram::start() {
  operations_.add_check(control::Probe::Ready, {"extender", [this]() -> Status {
                                                  if (extender_.has_synced()) return {};
                                                  return failure(Code::ServiceUnavailable,
                                                                 "reading the cluster");
                                                }});
  questions_.add_route("/", extender_.route());
  const auto bound = questions_.listen(settings_.questions, {control::Topic::Added});
  if (!bound.ok()) {
    return end(failure(bound.error().code,
                       bound.error().message + "; choose another address with --listen"));
  }
  env_.log.info("extender.listening", {{"address", env::to_string(*bound)},
                                       {"tls", settings_.questions.tls.has_value()}});
  const Status listening = listen(operations_, settings_.operations, env_.log);
  if (!listening.ok()) end(listening);
}

void ExtenderProgram::stop() {
  if (std::exchange(stopping_, true)) return;
  operations_.begin_shutdown();
  questions_.drain(scope_.guard([this] { operations_.drain(scope_.guard([this] { end({}); })); }));
}

void ExtenderProgram::end(const Status& status) {
  if (!ended_) return;
  env_.loop.post(scope_.guard([ended = std::exchange(ended_, nullptr), status] { ended(status); }));
}

}  // namespace berth::app
