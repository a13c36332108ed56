#include "upkeep/renewal_service.h"

#include <utility>

namespace berth::upkeep {
namespace {

// What was issued when the clock was ahead is not valid yet. Certificates begin a little before
// they are issued, so small steps do no harm.
constexpr Duration kClockStep = std::chrono::minutes(4);

bool is_due(const Renewable& item, Time since, Time now) {
  return item.life == Duration::zero() || now >= since + item.life / 2 || now < since - kClockStep;
}

}  // namespace

Renewal::Renewal(World world, std::vector<Renewable> items) : world_(world) {
  const Time now = world_.clock.now();
  for (Renewable& item : items) kept_.push_back({.item = std::move(item), .since = now});
  timer_ = env::after(world_.loop, world_.clock, kRenewalLook, scope_.guard([this] { look(); }));
}

void Renewal::look() {
  timer_ = env::after(world_.loop, world_.clock, kRenewalLook, scope_.guard([this] { look(); }));
  const Time now = world_.clock.now();
  for (Kept& kept : kept_) look_at(kept, now);
}

void Renewal::look_at(Kept& kept, Time now) {
  if (!is_due(kept.item, kept.since, now)) return;
  const Result<Renewed> renewed = kept.item.renew(now);
  if (!renewed.ok()) {
    world_.log.error("renewal.failed",
                     {{"what", kept.item.name}, {"error", renewed.error().message}});
    return;
  }
  kept.since = now;
  if (*renewed == Renewed::Yes) world_.log.info("renewal.done", {{"what", kept.item.name}});
}

}  // namespace berth::upkeep
