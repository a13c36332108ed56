// The event loop that owns one service's state, and its timers.

#pragma once

#include <functional>
#include <memory>

#include "base/time.h"
#include "env/clock.h"

namespace berth::env {

using Task = std::move_only_function<void()>;

// One armed alarm of a loop. It is cancelled when it dies, which must happen on its loop. After a
// cancellation the task does not run, even if it was already due.
class Timer {
 public:
  // What a world keeps for an armed alarm; its destructor disarms.
  class Alarm {
   public:
    virtual ~Alarm() = default;
  };

  Timer() = default;  // Not armed.
  explicit Timer(std::unique_ptr<Alarm> alarm) : alarm_(std::move(alarm)) {}

  void cancel() { alarm_.reset(); }

 private:
  std::unique_ptr<Alarm> alarm_;
};

// Tasks of one loop never run at the same time, and never inside the call that posted them.
class Loop {
 public:
  virtual ~Loop() = default;

  // From any loop or thread. Tasks posted by one thread run in the order in which it posted them.
  virtual void post(Task task) = 0;

  // On this loop only. Runs the task once, not before `when`; alarms for the same moment in the
  // order in which they were set. The task may destroy or re-arm its own Timer.
  [[nodiscard]] virtual Timer at(Instant when, Task task) = 0;
};

// at() with a length of time from now on. Saturates: a length that nobody lives to see is fine.
[[nodiscard]] Timer after(Loop& loop, const Clock& clock, Duration length, Task task);

}  // namespace berth::env
