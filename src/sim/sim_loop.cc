#include "sim/sim_loop.h"

#include <algorithm>
#include <utility>

namespace berth::sim {

class SimAlarm final : public env::Timer::Alarm {
 public:
  SimAlarm(std::weak_ptr<SimLoop> loop, std::uint64_t id) : loop_(std::move(loop)), id_(id) {}
  ~SimAlarm() override {
    const auto loop = loop_.lock();
    if (!loop) return;
    const auto alarm = loop->alarms_.find(id_);
    if (alarm == loop->alarms_.end()) return;
    loop->schedule_.cancel(alarm->second.ticket);
    loop->alarms_.erase(alarm);
  }

 private:
  std::weak_ptr<SimLoop> loop_;
  std::uint64_t id_;
};

SimLoop::SimLoop(Schedule& schedule, const NodeClock& clock) : schedule_(schedule), clock_(clock) {}

Moment SimLoop::now() const { return std::max(schedule_.now(), busy_until_); }

void SimLoop::block_for(Duration length) { busy_until_ = now() + length; }

void SimLoop::wake() {
  busy_until_ = schedule_.now();
  if (turn_) schedule_.cancel(*std::exchange(turn_, std::nullopt));
  plan_turn();
}

void SimLoop::post(env::Task task) {
  if (dead_) return;
  ready_.push_back(std::move(task));
  plan_turn();
}

// One event per task, so that the loops of the world interleave as finely as they can.
void SimLoop::plan_turn() {
  if (turn_ || ready_.empty()) return;
  turn_ = schedule_.add(now(), [self = shared_from_this()] { self->take_turn(); });
}

void SimLoop::take_turn() {
  turn_.reset();
  if (dead_ || ready_.empty()) return;
  if (is_blocked()) return plan_turn();  // Since the turn was planned.
  env::Task task = std::move(ready_.front());
  ready_.pop_front();
  task();
  plan_turn();
}

env::Timer SimLoop::at(Instant when, env::Task task) {
  if (dead_) return {};
  const std::uint64_t id = ++last_alarm_;
  Alarm& alarm = alarms_[id];
  alarm = {.when = when, .task = std::move(task), .ticket = {}};
  plan_alarm(id, alarm);
  return env::Timer(std::make_unique<SimAlarm>(weak_from_this(), id));
}

void SimLoop::plan_alarm(std::uint64_t id, Alarm& alarm) {
  alarm.ticket = schedule_.add(clock_.when_reads(alarm.when),
                               [self = shared_from_this(), id] { self->ring(id); });
}

void SimLoop::ring(std::uint64_t id) {
  const auto alarm = alarms_.find(id);
  if (alarm == alarms_.end()) return;
  // The drift may have changed since it was planned.
  if (clock_.monotonic(schedule_.now()) < alarm->second.when) return plan_alarm(id, alarm->second);
  post([this, id] {
    const auto due = alarms_.extract(id);
    if (!due.empty()) due.mapped().task();
  });
}

void SimLoop::kill() {
  dead_ = true;
  for (const auto& [id, alarm] : alarms_) schedule_.cancel(alarm.ticket);
  // Destroyed out of reach: what a task owns may call back into us.
  const auto tasks = std::move(ready_);
  const auto alarms = std::move(alarms_);
  ready_.clear();
  alarms_.clear();
}

}  // namespace berth::sim
