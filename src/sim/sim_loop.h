// A loop of one simulated process: no thread, only events of the world.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "env/clock.h"
#include "env/loop.h"
#include "sim/node_clock.h"
#include "sim/schedule.h"

namespace berth::sim {

// Outlived by nothing that uses it: a dead process keeps its loops until the world ends.
class SimLoop final : public env::Loop, public std::enable_shared_from_this<SimLoop> {
 public:
  SimLoop(Schedule& schedule, const NodeClock& clock);

  void post(env::Task task) override;
  env::Timer at(Instant when, env::Task task) override;

  // The process does nothing else until then: how blocking calls cost time.
  void block_for(Duration length);

  // Goes on at once, whatever it was doing.
  void wake();
  bool is_blocked() const { return busy_until_ > schedule_.now(); }

  // As the process sees it: time passes while it blocks.
  Moment now() const;

  // Drops all that waits and all that comes: the process is gone.
  void kill();
  bool is_dead() const { return dead_; }

 private:
  friend class SimAlarm;
  struct Alarm {
    Instant when;
    env::Task task;
    Schedule::Ticket ticket;
  };

  void plan_turn();
  void take_turn();
  void plan_alarm(std::uint64_t id, Alarm& alarm);
  void ring(std::uint64_t id);

  Schedule& schedule_;
  const NodeClock& clock_;
  std::deque<env::Task> ready_;
  std::map<std::uint64_t, Alarm> alarms_;
  std::uint64_t last_alarm_ = 0;
  Moment busy_until_ = Moment::zero();
  std::optional<Schedule::Ticket> turn_;  // Planned.
  bool dead_ = false;
};

// The machine's clocks as one of its loops reads them.
class LoopClock final : public env::Clock {
 public:
  LoopClock(const SimLoop& loop, const NodeClock& clock) : loop_(loop), clock_(clock) {}

  Time now() const override { return clock_.wall(loop_.now()); }
  Instant monotonic() const override { return clock_.monotonic(loop_.now()); }

 private:
  const SimLoop& loop_;
  const NodeClock& clock_;
};

}  // namespace berth::sim
