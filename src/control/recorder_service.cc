#include "control/recorder_service.h"

#include <utility>

#include "client/errors.h"
#include "env/random.h"

namespace berth::control {
namespace {

constexpr double kJitter = 0.25;

client::ResourcePath path_of(std::string event_namespace, std::string name) {
  return {.resource = {.group = "events.k8s.io", .version = "v1", .resource = "events"},
          .ns = std::move(event_namespace),
          .name = std::move(name)};
}

}  // namespace

RecorderService::RecorderService(const env::Env& env, client::Api& api,
                                 EventRecorderOptions options, RecorderLimits limits)
    : env_(env),
      api_(api),
      limits_(limits),
      recorder_(std::move(options)),
      random_(env::new_seed(env.entropy)) {}

void RecorderService::record(const Event& event) {
  auto write = recorder_.record(event, env_.clock.now());
  if (!write) return;
  if (queue_.size() >= limits_.queue_max) {
    ++dropped_;
    return;
  }
  queue_.push_back({.write = std::move(*write)});
  pump();
}

void RecorderService::resume() {
  paused_ = false;
  pump();
}

void RecorderService::pump() {
  while (!paused_ && !resting_ && !queue_.empty() && in_flight_ < limits_.in_flight_max) {
    Item item = std::move(queue_.front());
    queue_.pop_front();
    send(std::move(item));
  }
}

void RecorderService::send(Item item) {
  ++in_flight_;
  ++item.attempts;
  const EventRecorder::EventWrite write = item.write;
  auto done =
      scope_.guard([this, item = std::move(item)](const Result<json::Value>& answer) mutable {
        on_sent(std::move(item), answer);
      });
  if (const auto* create = std::get_if<EventRecorder::Create>(&write)) {
    api_.create(path_of(create->event_namespace, ""), create->event, {}, std::move(done));
  } else {
    const auto& patch = std::get<EventRecorder::Patch>(write);
    api_.patch(path_of(patch.event_namespace, patch.name), patch.patch,
               {.type = client::PatchType::Merge}, std::move(done));
  }
}

void RecorderService::on_sent(Item item, const Result<json::Value>& answer) {
  --in_flight_;
  if (!answer.ok()) {
    const Error& error = answer.error();
    const auto* patch = std::get_if<EventRecorder::Patch>(&item.write);
    if (patch && client::is_not_found(error)) recorder_.forget(patch->name);
    // Only a silent network deserves another try: a refusal would be repeated.
    if (client::network_failure(error) && item.attempts < limits_.attempts_max) {
      queue_.push_front(std::move(item));
      resting_ = true;
      const double factor = 1 + kJitter * random_.unit();
      const auto delay = static_cast<double>(limits_.retry_delay.count()) * factor;
      retry_ = env::after(env_.loop, env_.clock, Duration(static_cast<std::int64_t>(delay)),
                          scope_.guard([this] {
                            resting_ = false;
                            pump();
                          }));
    } else {
      ++dropped_;
      env_.log.debug("event.dropped", {{"error", error.message}});
    }
  }
  pump();
}

}  // namespace berth::control
