// Inbox: what other loops have sent to a loop that is busy, up to a bound.

#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace berth::env {

struct InboxBounds {
  std::size_t items_max;
  std::size_t weight_max;  // Of all items together; one that is heavier still fits an empty inbox.
};

// Posting a task for every item would queue without a bound; with an inbox the sender hears at once
// that there is no room, and one task takes all that has come.
template <typename T>
class Inbox {
 public:
  enum class AddOutcome {
    First,  // It was empty: somebody has to wake its owner.
    Added,
    Full,  // Nothing was added.
  };

  explicit Inbox(InboxBounds bounds) : bounds_(bounds) {}
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  // From any thread. Moves from the item only if there is room.
  AddOutcome add(T&& item, std::size_t weight) {
    const std::scoped_lock lock(mutex_);
    const bool first = items_.empty();
    if (items_.size() >= bounds_.items_max) return AddOutcome::Full;
    if (!first && weight_ + weight > bounds_.weight_max) return AddOutcome::Full;
    items_.push_back(std::move(item));
    weight_ += weight;
    return first ? AddOutcome::First : AddOutcome::Added;
  }

  // All of them, in the order in which they came.
  std::vector<T> take() {
    std::vector<T> taken;
    const std::scoped_lock lock(mutex_);
    items_.swap(taken);
    weight_ = 0;
    return taken;
  }

 private:
  const InboxBounds bounds_;
  std::mutex mutex_;
  std::vector<T> items_;    // Guarded by mutex_.
  std::size_t weight_ = 0;  // Guarded by mutex_.
};

}  // namespace berth::env
