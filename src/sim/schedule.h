// The one queue of a simulated world: what happens next, ordered by virtual time and then by the
// order in which it was planned.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "env/loop.h"

namespace berth::sim {

// Since the world began.
using Moment = Duration;

class Schedule {
 public:
  // Names a planned event until it has run or is cancelled; never reused.
  struct Ticket {
    std::uint32_t slot = 0;
    std::uint64_t sequence = 0;
  };

  Moment now() const { return now_; }
  std::optional<Moment> next() const;  // When the next event is due.
  std::uint64_t executed() const { return executed_; }

  // A moment that has passed counts as now.
  Ticket add(Moment when, env::Task task);
  void cancel(Ticket ticket);

  // Runs the next event and moves the time to it. False if there is none.
  bool run_next();

  // Forgets all events, also those that are planned by what is destroyed with them.
  void clear();

  // Lets time pass without events. Not beyond the next one.
  void advance_to(Moment when);

 private:
  struct Entry {
    Moment when;
    std::uint64_t sequence;
    std::uint32_t slot;
    bool operator>(const Entry& other) const {
      return when != other.when ? when > other.when : sequence > other.sequence;
    }
  };
  struct Slot {
    std::uint64_t sequence = 0;  // 0: free.
    env::Task task;
  };

  bool is_live(const Entry& entry) const { return slots_[entry.slot].sequence == entry.sequence; }
  env::Task take(std::uint32_t slot);
  void drop_cancelled();

  Moment now_ = Moment::zero();
  std::uint64_t last_sequence_ = 0;
  std::uint64_t executed_ = 0;
  std::vector<Entry> heap_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
};

}  // namespace berth::sim
