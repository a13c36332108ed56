#include "env/loop.h"

#include <utility>

namespace berth::env {

Timer after(Loop& loop, const Clock& clock, Duration length, Task task) {
  const Instant now = clock.monotonic();
  const Instant when = length > Instant::max() - now ? Instant::max() : now + length;
  return loop.at(when, std::move(task));
}

}  // namespace berth::env
