// Tested by upkeep_service_test.cc.
#include "upkeep/events_controller.h"

#include <algorithm>
#include <utility>

#include "client/errors.h"
#include "upkeep/resources.h"

namespace berth::upkeep {
namespace {

constexpr Duration kTick = std::chrono::milliseconds(100);
constexpr Duration kIdleTick = std::chrono::seconds(1);
constexpr std::size_t kTicksPerSecond = 10;
constexpr Duration kRetry = std::chrono::seconds(10);

client::Projection kept_times() {
  return client::Projection::only(
      {"metadata.creationTimestamp", "series.lastObservedTime", "lastTimestamp", "eventTime"});
}

}  // namespace

EventsController::EventsController(const env::Env& env, client::Api& api,
                                   const control::MayWrite& may_write, const EventsOptions& options)
    : env_(env),
      api_(api),
      may_write_(may_write),
      options_(options),
      ages_(options.lifetime),
      follower_(
          env, api, {.collection = {.resource = upkeep::events()}, .projection = kept_times()},
          {.on_state =
               [this](const std::vector<client::ObjectPtr>& objects) {
                 ages_.clear();
                 for (const client::ObjectPtr& event : objects) ages_.put(event->body());
               },
           .on_put = [this](const client::Object& event) { ages_.put(event.body()); },
           .on_removed = [this](const client::Object& event) { ages_.remove(event.key()); }}) {
  tick();
}

void EventsController::tick() {
  const Time now = env_.clock.now();
  const auto due = ages_.next_due();
  timer_ =
      env::after(env_.loop, env_.clock, due && *due <= now ? kTick : kIdleTick, [this] { tick(); });
  if (!may_write_()) return;
  const std::size_t most =
      std::max<std::size_t>(options_.deletions_per_second / kTicksPerSecond, 1);
  if (in_flight_ >= most) return;  // The hub has enough to do.
  for (const EventAges::Expired& expired : ages_.take_due(now, most - in_flight_)) {
    remove(expired);
  }
}

// Of this version only: an Event that happened again meanwhile stays.
void EventsController::remove(const EventAges::Expired& expired) {
  ++in_flight_;
  api_.remove({.resource = upkeep::events(), .ns = expired.key.ns, .name = expired.key.name},
              {.resource_version = expired.resource_version},
              scope_.guard([this, expired](const Result<json::Value>& answer) {
                --in_flight_;
                if (answer.ok() || client::is_not_found(answer.error()) ||
                    client::is_conflict(answer.error())) {
                  return;
                }
                env_.log.warn("events.delete_failed",
                              {{"event", expired.key.text()}, {"error", answer.error().message}});
                ages_.put_off(expired, env_.clock.now() + kRetry);
              }));
}

}  // namespace berth::upkeep
