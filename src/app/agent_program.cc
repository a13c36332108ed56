// Tested by tests/kube/scores_test.cc.
#include "app/agent_program.h"

#include <utility>

namespace berth::app {
namespace {

// The parts try again by themselves, with what is true then.
client::ApiOptions api_options() {
  return {.user_agent = "berth-agent",
          .rate = {.per_second = 50, .burst = 100},  // As OCM's agents: works come many at a time.
          .call = {.timeout = std::chrono::seconds(15), .retry = {.attempts_max = 2}}};
}

}  // namespace

AgentProgram::AgentProgram(const env::Env& env, AgentSettings settings, Ended ended)
    : env_(env),
      settings_(std::move(settings)),
      ended_(std::move(ended)),
      cluster_(env, settings_.cluster, api_options()),
      operations_({env.clock, env.loop, env.network, env.metrics}) {}

void AgentProgram::start() {
  for (const auto& [name, make] : settings_.parts) {
    operations_.add_check(control::Probe::Ready,
                          {name, [this, name] { return readiness_of(name); }});
  }
  if (settings_.hub) {
    make_parts(std::make_unique<client::Api>(env_, *settings_.hub, api_options()),
               settings_.cluster_name);
  } else if (const Status started = start_registration(); !started.ok()) {
    return end(started);
  }
  const Status listening = listen(operations_, settings_.operations, env_.log);
  if (!listening.ok()) end(listening);
}

// The others begin when the hub knows the agent, and anew with every new certificate.
Status AgentProgram::start_registration() {
  ASSIGN_OR_RETURN(registration_,
                   AgentRegistration::start(
                       env_, cluster_, settings_.registration,
                       {.ready =
                            [this](const client::Api& hub, const fleet::AgentName& name) {
                              client::ApiOptions options = api_options();
                              options.carrier = &hub;
                              make_parts(std::make_unique<client::Api>(env_, hub.config(), options),
                                         name.cluster);
                            },
                        .lost =
                            [this] {
                              if (!stopping_) drop_parts();
                            }}));
  operations_.add_check(control::Probe::Ready,
                        {"registration", [this] { return registration_->readiness(); }});
  return {};
}

void AgentProgram::make_parts(std::unique_ptr<client::Api> hub, const std::string& cluster_name) {
  if (stopping_) return;
  drop_parts();
  hub_ = std::move(hub);
  const AgentWorld world{.env = env_,
                         .cluster = cluster_,
                         .hub = *hub_,
                         .cluster_name = cluster_name,
                         .host = settings_.host};
  for (const auto& [name, make] : settings_.parts) parts_[name] = make(world);
}

void AgentProgram::drop_parts() {
  parts_.clear();
  hub_.reset();
}

Status AgentProgram::readiness_of(const std::string& part) const {
  const auto found = parts_.find(part);
  if (found != parts_.end()) return found->second->readiness();
  return failure(Code::ServiceUnavailable, "waits until the hub knows the agent");
}

void AgentProgram::stop() {
  if (std::exchange(stopping_, true)) return;
  operations_.begin_shutdown();
  const auto left = std::make_shared<std::size_t>(parts_.size() + 1);
  const auto one_less = [this, left] {
    if (--*left == 0) drain();
  };
  for (const auto& [name, part] : parts_) part->release(scope_.guard(one_less));
  one_less();
}

void AgentProgram::drain() {
  operations_.drain(scope_.guard([this] {
    registration_.reset();
    drop_parts();
    end({});
  }));
}

void AgentProgram::end(const Status& status) {
  if (!ended_) return;
  env_.loop.post(scope_.guard([ended = std::exchange(ended_, nullptr), status] { ended(status); }));
}

}  // namespace berth::app
