// The pods that wait for a node: by priority, then by how long they wait.
//
//             add                  pop                 chosen
//   (absent) -----> active <-----+ -----> in a cycle ---------> (removed, or binding)
//                     ^          |            | refused
//       back-off over |          +------------+-----------+
//                     |             wake: no back-off left v
//                  backing off <------------------- unschedulable
//                                   wake
//
// A pod that was refused waits until something happens that can help it, or five minutes. After
// each refusal it backs off longer, from 1 s to 10 s, counted from the refusal; so that it is in
// nobody's way. Where nobody else is in line it need not, if it is certain that it was helped.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"

namespace berth::nodes {

struct QueueOptions {
  Duration backoff_first = std::chrono::seconds(1);
  Duration backoff_max = std::chrono::seconds(10);
  Duration unschedulable_max = std::chrono::minutes(5);
};

enum class Help : std::uint8_t { Possible, Certain };

enum class QueuePlace : std::uint8_t { Absent, Gated, Active, BackingOff, Unschedulable, InWork };

struct QueueCounts {
  std::size_t active = 0;
  std::size_t backing_off = 0;
  std::size_t unschedulable = 0;
  std::size_t gated = 0;

  bool operator==(const QueueCounts&) const = default;
};

// Pods by their uids.
class SchedulingQueue {
 public:
  explicit SchedulingQueue(QueueOptions options = {}) : options_(options) {}

  // A pod that is not known. Gated pods are not tried until they are added again without gates.
  void add(const std::string& uid, std::int32_t priority, Instant now);
  void add_gated(const std::string& uid, std::int32_t priority, Instant now);
  void remove(const std::string& uid);
  QueuePlace place(const std::string& uid) const;

  // The next to be tried, now in work until one of the three calls below.
  std::optional<std::string> pop(Instant now);

  // No node takes it. Something that happens can change that, and wakes it.
  void refuse(const std::string& uid, Instant now);

  // It has not been its fault: it comes again after its back-off.
  void retry(const std::string& uid, Instant now);

  // It has found a node: remove().

  // Something has happened that helps a pod which was refused.
  void wake(const std::string& uid, Help help, Instant now);

  // Those that wait for something to happen; longest first.
  std::vector<std::string> unschedulable() const;
  bool has_unschedulable() const { return !parked_.empty(); }

  // When pop() may next yield something; a time that has passed means now.
  std::optional<Instant> next_due() const;
  int attempts(const std::string& uid) const;
  Instant since(const std::string& uid) const;  // When it was added; the pod must be known.
  QueueCounts counts() const;

 private:
  struct Entry {
    std::int32_t priority;
    Instant added;
    std::uint64_t sequence;
    QueuePlace place;
    int attempts = 0;
    Instant due = {};            // End of the back-off, or of the longest wait.
    Help help = Help::Possible;  // While it backs off.
  };
  // Before others: higher priority, longer wait.
  struct Turn {
    std::int64_t rank;  // Minus the priority.
    Instant added;
    std::uint64_t sequence;
    std::string uid;

    auto operator<=>(const Turn&) const = default;
  };
  using Alarm = std::pair<Instant, std::string>;

  static Turn turn_of(const std::string& uid, const Entry& entry);
  void link(const std::string& uid, const Entry& entry);
  void unlink(const std::string& uid, const Entry& entry);
  void move(const std::string& uid, Entry& entry, QueuePlace place);
  Duration backoff_of(const Entry& entry) const;
  void advance(Instant now);

  QueueOptions options_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::set<Turn> active_;
  std::set<Alarm> backing_off_;
  std::set<Turn> helped_;   // Of those that back off, who is certain to be helped.
  std::set<Alarm> parked_;  // Unschedulable, by the end of the longest wait.
  std::size_t gated_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace berth::nodes
