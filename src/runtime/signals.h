// Signals to the process, as calls on a loop.

#pragma once

#include <functional>
#include <thread>

#include "env/loop.h"
#include "runtime/fd.h"

namespace berth::runtime {

struct SignalHandlers {
  std::function<void()> drain;   // The first SIGTERM or SIGINT; the second ends the process with 1.
  std::function<void()> reload;  // Each SIGHUP.
};

// Blocks the signals it handles in the calling thread, so it is made before all other threads,
// which then inherit that; and it ignores SIGPIPE. A thread of its own waits for the signals: a
// second SIGTERM works even when all loops hang.
class Signals {
 public:
  Signals();
  ~Signals();

  // Once. The handlers run on the loop.
  void handle(env::Loop& loop, SignalHandlers handlers);

 private:
  void wait(env::Loop& loop, const SignalHandlers& handlers);

  Fd signals_;
  Fd stop_;
  std::jthread thread_;
};

}  // namespace berth::runtime
