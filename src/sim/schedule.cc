#include "sim/schedule.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/check.h"

namespace berth::sim {

Schedule::Ticket Schedule::add(Moment when, env::Task task) {
  std::uint32_t slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  const std::uint64_t sequence = ++last_sequence_;
  slots_[slot] = {.sequence = sequence, .task = std::move(task)};
  heap_.push_back({.when = std::max(when, now_), .sequence = sequence, .slot = slot});
  std::ranges::push_heap(heap_, std::greater<>());
  return {.slot = slot, .sequence = sequence};
}

void Schedule::cancel(Ticket ticket) {
  const bool waits = ticket.sequence != 0 && slots_[ticket.slot].sequence == ticket.sequence;
  if (waits) take(ticket.slot);
  drop_cancelled();
}

env::Task Schedule::take(std::uint32_t slot) {
  slots_[slot].sequence = 0;
  free_slots_.push_back(slot);
  return std::exchange(slots_[slot].task, nullptr);
}

void Schedule::drop_cancelled() {
  while (!heap_.empty() && !is_live(heap_.front())) {
    std::ranges::pop_heap(heap_, std::greater<>());
    heap_.pop_back();
  }
}

std::optional<Moment> Schedule::next() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front().when;
}

bool Schedule::run_next() {
  if (heap_.empty()) return false;
  const Entry entry = heap_.front();
  std::ranges::pop_heap(heap_, std::greater<>());
  heap_.pop_back();
  drop_cancelled();
  now_ = entry.when;
  ++executed_;
  env::Task task = take(entry.slot);
  task();
  return true;
}

void Schedule::clear() {
  while (!heap_.empty()) {
    const Entry last = heap_.back();
    heap_.pop_back();
    if (is_live(last)) take(last.slot);
  }
}

void Schedule::advance_to(Moment when) {
  CHECK(when >= now_ && (heap_.empty() || when <= heap_.front().when));
  now_ = when;
}

}  // namespace berth::sim
