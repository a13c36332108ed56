// The queue behind every controller: each key at most once, never two workers on one key, no lost
// wake-up. A plain state machine: the shell asks next_due() and arms one timer.
//
//              add                 pop                    done
//   (absent) ------> waiting/ready -----> in work ----------------> (absent)
//                        ^                   | add: comes again      |
//                        +-------------------+-----------------------+

#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/time.h"

namespace berth::control {

struct WorkQueueStats {
  std::uint64_t adds = 0;
  std::uint64_t pops = 0;
  std::size_t depth = 0;  // Waiting for their time or for a worker.
  std::size_t ready = 0;  // Of those, what advance() or pop() has found due.
  std::size_t in_work = 0;
};

// How long the keys in work have been there.
struct WorkInHand {
  Duration total{};
  Duration longest{};
};

template <std::three_way_comparable Key>
class WorkQueue {
 public:
  struct Item {
    Key key;
    Duration waited;  // Since it became due.
  };

  enum class Added : std::uint8_t {
    New,      // It was not asked for before.
    Already,  // It comes anyway; perhaps earlier now.
  };

  // The key is to be worked on at `due`, or earlier if it was asked for earlier before.
  Added add(const Key& key, Instant due) {
    ++adds_;
    if (const auto again = in_work_.find(key); again != in_work_.end()) {
      const Added added = again->second.again ? Added::Already : Added::New;
      merge(again->second.again, {.due = due, .sequence = ++sequence_});
      return added;
    }
    Entry entry{.due = due, .sequence = ++sequence_};
    Added added = Added::New;
    if (const auto found = entries_.find(key); found != entries_.end()) {
      added = Added::Already;
      std::optional<Entry> merged = found->second;
      merge(merged, entry);
      if (*merged == found->second) return added;
      unlink(key, found->second);
      entry = *merged;
      entries_.erase(found);
    }
    link(key, entry);
    entries_.emplace(key, entry);
    return added;
  }

  // Lets what has become due join the line, so that stats() counts it.
  void advance(Instant now) {
    while (!timers_.empty() && timers_.begin()->due <= now) {
      const Key key = timers_.begin()->key;
      timers_.erase(timers_.begin());
      Entry& entry = entries_.find(key)->second;
      entry.ready = true;
      link(key, entry);
    }
  }

  // The next key that is due, now in work until done(). Nothing when none is due.
  std::optional<Item> pop(Instant now) {
    advance(now);
    if (ready_.empty()) return std::nullopt;
    const Key key = ready_.begin()->key;
    ready_.erase(ready_.begin());
    const auto entry = entries_.find(key);
    const Duration waited = now - entry->second.due;
    entries_.erase(entry);
    in_work_.emplace(key, Work{.since = now});
    ++pops_;
    return Item{.key = key, .waited = waited};
  }

  // The work on a popped key has ended. What was added meanwhile becomes one further run.
  void done(const Key& key) {
    const auto worked = in_work_.find(key);
    CHECK(worked != in_work_.end());
    const std::optional<Entry> again = worked->second.again;
    in_work_.erase(worked);
    if (!again) return;
    link(key, *again);
    entries_.emplace(key, *again);
  }

  // Drops the key if it waits. If it is in work, it will not come again on account of earlier adds.
  void forget(const Key& key) {
    if (const auto worked = in_work_.find(key); worked != in_work_.end())
      worked->second.again.reset();
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;
    unlink(key, found->second);
    entries_.erase(found);
  }

  // When pop() may next yield something; a time that has passed means now.
  std::optional<Instant> next_due() const {
    if (!ready_.empty()) return Instant::min();
    if (timers_.empty()) return std::nullopt;
    return timers_.begin()->due;
  }

  WorkQueueStats stats() const {
    return {.adds = adds_,
            .pops = pops_,
            .depth = entries_.size(),
            .ready = ready_.size(),
            .in_work = in_work_.size()};
  }

  // How long the key, which must be in work, has been there.
  Duration worked_on(const Key& key, Instant now) const {
    const auto worked = in_work_.find(key);
    CHECK(worked != in_work_.end());
    return now - worked->second.since;
  }

  WorkInHand in_hand(Instant now) const {
    WorkInHand sum;
    for (const auto& [key, work] : in_work_) {
      sum.total += now - work.since;
      sum.longest = std::max<Duration>(sum.longest, now - work.since);
    }
    return sum;
  }

 private:
  struct Entry {
    Instant due;
    std::uint64_t sequence;
    bool ready = false;

    bool operator==(const Entry&) const = default;
  };

  struct Work {
    Instant since;
    std::optional<Entry> again = std::nullopt;  // What was asked for meanwhile.
  };

  // The earliest goes first, and of those the one that was asked for first.
  struct Place {
    Instant due;
    std::uint64_t sequence;
    Key key;

    auto operator<=>(const Place&) const = default;
  };

  // The earlier time wins; the place in the line is kept.
  static void merge(std::optional<Entry>& old, const Entry& added) {
    if (!old) {
      old = added;
      return;
    }
    if (added.due < old->due) old->due = added.due;
  }

  std::set<Place>& line_of(const Entry& entry) { return entry.ready ? ready_ : timers_; }

  void link(const Key& key, const Entry& entry) {
    line_of(entry).insert({.due = entry.due, .sequence = entry.sequence, .key = key});
  }

  void unlink(const Key& key, const Entry& entry) {
    line_of(entry).erase({.due = entry.due, .sequence = entry.sequence, .key = key});
  }

  std::map<Key, Entry> entries_;  // Everything that waits.
  std::set<Place> timers_;        // Of those, what is not due yet.
  std::set<Place> ready_;         // Of those, what is.
  std::map<Key, Work> in_work_;
  std::uint64_t sequence_ = 0;
  std::uint64_t adds_ = 0;
  std::uint64_t pops_ = 0;
};

}  // namespace berth::control
