#include "nodes/scheduler_service.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "client/errors.h"

namespace berth::nodes {
namespace {

// So many decisions, then what they send leaves.
constexpr std::size_t kBatch = 32;

// Longer waits are cut into pieces: the calendar may be set meanwhile, and a moment at the end of
// time is none that a timer knows.
constexpr Duration kNapMax = std::chrono::minutes(10);

// How soon to look again when others have to make room for writes first, or nobody may write.
constexpr Duration kPause = std::chrono::milliseconds(20);

}  // namespace

SchedulerService::SchedulerService(const env::Env& env, client::Api& api, client::Api& events,
                                   control::MayWrite may_write, SchedulerOptions options)
    : env_(env),
      may_write_(may_write),
      in_flight_max_(options.in_flight_max),
      scheduling_(std::move(options.scheduling)),
      metrics_(env_.metrics),
      teller_(env, api, events, may_write, std::move(options.instance)),
      binder_(env, api, may_write,
              [this](const std::string& uid) { return scheduling_.is_binding(uid); }),
      feed_(env, api, scheduling_,
            {.changed = [this] { pump_soon(); },
             .saw_pod = [this](const json::Value& pod) { teller_.see(pod); },
             .lost_pod = [this](std::string_view uid) { teller_.forget(uid); },
             .bad_annotations =
                 [this](const json::Value& node, const std::vector<std::string>& problems) {
                   teller_.tell_node(node, problems);
                 }}) {
  arm();
}

bool SchedulerService::is_idle() const {
  const auto due = scheduling_.next_due();
  return has_synced() && in_flight() == 0 && !posted_ && (!due || *due > env_.clock.monotonic());
}

void SchedulerService::pump_soon() {
  if (std::exchange(posted_, true)) return;
  env_.loop.post(scope_.guard([this] {
    posted_ = false;
    pump();
  }));
}

void SchedulerService::pump() {
  if (!has_synced() || !may_write_()) return arm();
  scheduling_.expire(now());
  for (std::size_t i = 0; i < kBatch; ++i) {
    if (in_flight() >= in_flight_max_) return arm();
    const Instant began = env_.clock.monotonic();
    const std::optional<NextStep> step = scheduling_.next(now());
    if (!step) return arm();
    if (const auto* refused = std::get_if<RefusePod>(&*step)) {
      metrics_.on_attempt(refused->pod.scheduler, "unschedulable", env_.clock.monotonic() - began);
      teller_.tell_refused(*refused);
    } else if (const auto* gated = std::get_if<GatedPod>(&*step)) {
      teller_.tell_gated(*gated);
    } else {
      bind(std::get<BindPod>(*step));
    }
  }
  pump_soon();
}

void SchedulerService::arm() {
  metrics_.show(scheduling_);
  const Now moment = now();
  Duration nap = kNapMax;
  if (!has_synced() || in_flight() >= in_flight_max_ || !may_write_()) {
    nap = kPause;
  } else {
    if (const auto due = scheduling_.next_due()) {
      nap = *due <= moment.instant ? kPause : std::min(nap, *due - moment.instant);
    }
    if (const auto expiry = scheduling_.next_expiry()) {
      nap = std::min(nap, std::max<Duration>(*expiry - moment.time, kPause));
    }
  }
  timer_ = env::after(env_.loop, env_.clock, nap, scope_.guard([this] { pump(); }));
}

void SchedulerService::bind(const BindPod& step) {
  binder_.bind({.pod = step.pod.key, .uid = step.pod.uid, .node = step.node, .claim = step.claim},
               scope_.guard([this, step, began = env_.clock.monotonic()](
                                const Binder::Ended& ended) { on_bound(step, began, ended); }));
}

void SchedulerService::on_bound(const BindPod& step, Instant began, const Binder::Ended& ended) {
  const Duration took = env_.clock.monotonic() - began;
  if (ended.pod) {
    const Status known = scheduling_.put_pod(*ended.pod, now());
    if (!known.ok()) env_.log.warn("scheduler.unreadable", {{"error", known.error().message}});
  }
  if (ended.status.ok()) {
    scheduling_.on_bound(step.pod.uid);
    metrics_.on_scheduled(step.pod, took);
    teller_.tell_bound(step);
  } else {
    scheduling_.on_bind_failed(step.pod.uid, now());
    const Error& error = ended.status.error();
    env_.log.info("scheduler.bind_refused",
                  {{"pod", step.pod.key.text()}, {"node", step.node}, {"error", error.message}});
    metrics_.on_attempt(step.pod.scheduler, "error", took);
    // Bound by somebody else, or gone: then there is nobody to tell.
    const bool is_everyday = client::is_not_found(error) || client::is_conflict(error);
    if (!is_everyday) teller_.tell_failed(step.pod, error);
  }
  pump_soon();
}

}  // namespace berth::nodes
