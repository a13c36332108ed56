// Tested by kubelet_controller_test.cc.
#include "local/pod_run_service.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"

namespace berth::local {
namespace {

using json::Value;

constexpr Duration kLookAgain = std::chrono::seconds(10);  // For sources that changed.
constexpr Duration kMissing = std::chrono::seconds(1);     // For sources that are not there yet.
constexpr Duration kPauseFirst = std::chrono::seconds(10);
constexpr Duration kPauseMax = std::chrono::minutes(5);
constexpr std::int64_t kGraceDefault = 30;

client::Gvr resource_of(SourceKind kind) {
  return {"", "v1", kind == SourceKind::Secret ? "secrets" : "configmaps"};
}

Duration pause_after(int restarts) {
  return std::min(kPauseFirst * (1 << std::min(restarts, 6)), kPauseMax);
}

// A kubelet that starts anew goes on counting.
int restarts_before(const Value& pod, std::size_t index) {
  const auto statuses = api::elements_field(api::field(pod, "status"), "containerStatuses");
  if (index >= statuses.size()) return 0;
  return api::int32_field(statuses[index], "restartCount").value_or(0);
}

}  // namespace

PodRun::PodRun(const env::Env& env, client::Api& api, std::span<ContainerRuntime* const> runtimes,
               Value pod, env::Task changed)
    : env_(env),
      api_(api),
      runtimes_(runtimes),
      pod_(std::move(pod)),
      changed_(std::move(changed)) {
  const std::size_t count = api::elements_field(api::field(pod_, "spec"), "containers").size();
  states_.resize(count);
  running_.resize(count);
  specs_.resize(count);
  restarts_.resize(count);
  for (std::size_t i = 0; i < count; ++i) states_[i].restarts = restarts_before(pod_, i);
  fetch_sources();
}

std::string_view PodRun::uid() const { return api::Metadata(pod_).uid(); }

const Value& PodRun::container(std::size_t index) const {
  return api::elements_field(api::field(pod_, "spec"), "containers")[index];
}

void PodRun::fetch_sources() {
  const std::vector<Source> sources = sources_of(pod_);
  awaited_ = sources.size();
  if (sources.empty()) {
    env_.loop.post(scope_.guard([this] { apply_sources(); }));
    return;
  }
  for (const Source& source : sources) {
    api_.get({.resource = resource_of(source.kind),
              .ns = std::string(api::Metadata(pod_).namespace_name()),
              .name = source.name},
             scope_.guard(
                 [this, source](Result<Value> answer) { on_source(source, std::move(answer)); }));
  }
}

// While the server cannot be asked, what was known before holds.
void PodRun::on_source(const Source& source, Result<Value> answer) {
  if (answer.ok()) {
    sources_[source] = *std::move(answer);
  } else if (client::is_not_found(answer.error())) {
    sources_.erase(source);
  }
  if (--awaited_ == 0) apply_sources();
}

void PodRun::apply_sources() {
  if (is_stopping_) return;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (running_[i]) {
      refresh(i);
    } else if (states_[i].phase == ContainerPhase::Waiting && !states_[i].comes_again) {
      start(i);
    }
  }
  if (sources_of(pod_).empty()) return;
  const bool missing = std::ranges::any_of(states_, [](const ContainerState& state) {
    return state.phase == ContainerPhase::Waiting && !state.comes_again;
  });
  look_again_ = env::after(env_.loop, env_.clock, missing ? kMissing : kLookAgain,
                           scope_.guard([this] { fetch_sources(); }));
}

Result<ContainerSpec> PodRun::spec_of(std::size_t index) const {
  return container_spec(pod_, container(index),
                        [this](SourceKind kind, std::string_view name) -> const Value* {
                          for (const auto& [source, object] : sources_) {
                            if (source.kind == kind && source.name == name) return &object;
                          }
                          return nullptr;
                        });
}

void PodRun::refresh(std::size_t index) {
  auto spec = spec_of(index);
  if (!spec.ok() || spec->mounts == specs_[index].mounts) return;
  specs_[index] = *std::move(spec);
  running_[index]->refresh(specs_[index]);
}

void PodRun::wait(std::size_t index, std::string reason, std::string message) {
  ContainerState& state = states_[index];
  if (state.phase == ContainerPhase::Waiting && state.reason == reason &&
      state.message == message) {
    return;
  }
  state.phase = ContainerPhase::Waiting;
  state.reason = std::move(reason);
  state.message = std::move(message);
  tell();
}

void PodRun::start(std::size_t index) {
  auto spec = spec_of(index);
  if (!spec.ok()) return wait(index, "ContainerCreating", spec.error().message);
  specs_[index] = *std::move(spec);
  begin(index);
}

void PodRun::begin(std::size_t index) {
  ContainerState& state = states_[index];
  state.comes_again = false;
  const auto runtime = std::ranges::find_if(runtimes_, [&](const ContainerRuntime* candidate) {
    return candidate->runs(pod_, container(index));
  });
  if (runtime == runtimes_.end()) {
    return wait(index, "ErrImagePull", "nothing here runs the image " + specs_[index].image);
  }
  auto started = (*runtime)->start(
      pod_, specs_[index], scope_.guard([this, index](int code) { on_ended(index, code); }));
  if (!started.ok()) return wait(index, "CreateContainerError", started.error().message);
  running_[index] = *std::move(started);
  state.phase = ContainerPhase::Running;
  state.reason.clear();
  state.message.clear();
  state.started = env_.clock.now();
  tell();
}

void PodRun::on_ended(std::size_t index, int exit_code) {
  running_[index].reset();
  ContainerState& state = states_[index];
  state.phase = ContainerPhase::Ended;
  state.reason = exit_code == 0 ? "Completed" : "Error";
  state.exit_code = exit_code;
  state.ended = env_.clock.now();
  if (!is_stopping_ && is_restarted(restart_policy(pod_), exit_code)) restart_later(index);
  tell();
}

void PodRun::restart_later(std::size_t index) {
  ContainerState& state = states_[index];
  state.phase = ContainerPhase::Waiting;
  state.reason = "CrashLoopBackOff";
  state.comes_again = true;
  restarts_[index] =
      env::after(env_.loop, env_.clock, pause_after(state.restarts), scope_.guard([this, index] {
        ++states_[index].restarts;
        begin(index);
      }));
}

void PodRun::stop() {
  if (std::exchange(is_stopping_, true)) return;
  look_again_.cancel();
  const std::chrono::seconds grace(
      api::integer_field(api::field(pod_, "spec"), "terminationGracePeriodSeconds")
          .value_or(kGraceDefault));
  for (std::size_t i = 0; i < running_.size(); ++i) {
    restarts_[i].cancel();
    if (running_[i]) running_[i]->stop(grace);
  }
  tell();
}

bool PodRun::has_stopped() const {
  return is_stopping_ && std::ranges::all_of(running_, [](const auto& one) { return !one; });
}

void PodRun::tell() {
  env_.loop.post(scope_.guard([this] { changed_(); }));
}

}  // namespace berth::local
