#include "sim/fault.h"

#include <cmath>
#include <utility>

#include <fmt/core.h>

namespace berth::sim {

Episodes::Episodes(World& world, Random random, Duration between,
                   std::function<void(World&, Random&)> strike)
    : world_(world), random_(random), between_(between), strike_(std::move(strike)) {
  plan();
}

Episodes::~Episodes() { world_.schedule().cancel(ticket_); }

void Episodes::plan() {
  const Duration wait(random_.between(1, 2 * between_.count()));
  ticket_ = world_.schedule().add(world_.now() + wait, [this] {
    strike_(world_, random_);
    plan();
  });
}

Duration draw_length(Random& random, Duration least, Duration most) {
  // Doublings, then a place within the doubling: no logarithm, whose last digit differs by library.
  std::int64_t low = least.count();
  std::int64_t doublings = 0;
  while (low << (doublings + 1) < most.count()) ++doublings;
  low <<= random.below(static_cast<std::uint64_t>(doublings) + 1);
  return std::min(most, Duration(random.between(low, 2 * low)));
}

std::string to_text(Duration length) {
  const auto count = static_cast<double>(length.count());
  if (count >= 1e9) return fmt::format("{:.3g}s", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.3g}ms", count / 1e6);
  return fmt::format("{:.3g}us", count / 1e3);
}

}  // namespace berth::sim
