#include "nodes/queue.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace berth::nodes {

void SchedulingQueue::add(const std::string& uid, std::int32_t priority, Instant now) {
  const auto [entry, is_new] = entries_.try_emplace(uid, Entry{.priority = priority,
                                                               .added = now,
                                                               .sequence = ++sequence_,
                                                               .place = QueuePlace::Active});
  if (is_new) return link(uid, entry->second);
  if (entry->second.place != QueuePlace::Gated) return;
  entry->second.added = now;
  move(uid, entry->second, QueuePlace::Active);
}

void SchedulingQueue::add_gated(const std::string& uid, std::int32_t priority, Instant now) {
  const auto [entry, is_new] = entries_.try_emplace(
      uid,
      Entry{
          .priority = priority, .added = now, .sequence = ++sequence_, .place = QueuePlace::Gated});
  if (is_new) link(uid, entry->second);
}

void SchedulingQueue::remove(const std::string& uid) {
  const auto found = entries_.find(uid);
  if (found == entries_.end()) return;
  unlink(uid, found->second);
  entries_.erase(found);
}

QueuePlace SchedulingQueue::place(const std::string& uid) const {
  const auto found = entries_.find(uid);
  return found == entries_.end() ? QueuePlace::Absent : found->second.place;
}

SchedulingQueue::Turn SchedulingQueue::turn_of(const std::string& uid, const Entry& entry) {
  return {-std::int64_t{entry.priority}, entry.added, entry.sequence, uid};
}

void SchedulingQueue::link(const std::string& uid, const Entry& entry) {
  switch (entry.place) {
    case QueuePlace::Active:
      active_.insert(turn_of(uid, entry));
      break;
    case QueuePlace::BackingOff:
      backing_off_.emplace(entry.due, uid);
      if (entry.help == Help::Certain) helped_.insert(turn_of(uid, entry));
      break;
    case QueuePlace::Unschedulable:
      parked_.emplace(entry.due, uid);
      break;
    case QueuePlace::Gated:
      ++gated_;
      break;
    case QueuePlace::InWork:
    case QueuePlace::Absent:
      break;
  }
}

void SchedulingQueue::unlink(const std::string& uid, const Entry& entry) {
  switch (entry.place) {
    case QueuePlace::Active:
      active_.erase(turn_of(uid, entry));
      break;
    case QueuePlace::BackingOff:
      backing_off_.erase({entry.due, uid});
      helped_.erase(turn_of(uid, entry));
      break;
    case QueuePlace::Unschedulable:
      parked_.erase({entry.due, uid});
      break;
    case QueuePlace::Gated:
      --gated_;
      break;
    case QueuePlace::InWork:
    case QueuePlace::Absent:
      break;
  }
}

void SchedulingQueue::move(const std::string& uid, Entry& entry, QueuePlace place) {
  unlink(uid, entry);
  entry.place = place;
  link(uid, entry);
}

// Lets those whose time has come join the line.
void SchedulingQueue::advance(Instant now) {
  for (std::set<Alarm>* alarms : {&backing_off_, &parked_}) {
    while (!alarms->empty() && alarms->begin()->first <= now) {
      const std::string uid = alarms->begin()->second;
      move(uid, entries_.find(uid)->second, QueuePlace::Active);
    }
  }
}

std::optional<std::string> SchedulingQueue::pop(Instant now) {
  advance(now);
  const std::set<Turn>& line = active_.empty() ? helped_ : active_;
  if (line.empty()) return std::nullopt;
  const std::string uid = line.begin()->uid;
  Entry& entry = entries_.find(uid)->second;
  move(uid, entry, QueuePlace::InWork);
  ++entry.attempts;
  return uid;
}

Duration SchedulingQueue::backoff_of(const Entry& entry) const {
  Duration backoff = options_.backoff_first;
  for (int i = 1; i < entry.attempts && backoff < options_.backoff_max; ++i) backoff *= 2;
  return std::min(backoff, options_.backoff_max);
}

void SchedulingQueue::refuse(const std::string& uid, Instant now) {
  const auto found = entries_.find(uid);
  if (found == entries_.end()) return;
  CHECK(found->second.place == QueuePlace::InWork);
  unlink(uid, found->second);
  found->second.due = now + options_.unschedulable_max;
  found->second.place = QueuePlace::Unschedulable;
  link(uid, found->second);
}

void SchedulingQueue::retry(const std::string& uid, Instant now) {
  const auto found = entries_.find(uid);
  if (found == entries_.end()) return;
  CHECK(found->second.place == QueuePlace::InWork);
  found->second.due = now + backoff_of(found->second);
  found->second.help = Help::Possible;
  move(uid, found->second, QueuePlace::BackingOff);
}

void SchedulingQueue::wake(const std::string& uid, Help help, Instant now) {
  const auto found = entries_.find(uid);
  if (found == entries_.end() || found->second.place != QueuePlace::Unschedulable) return;
  Entry& entry = found->second;
  // The moment of the refusal, from which the back-off counts.
  const Instant refused = entry.due - options_.unschedulable_max;
  const Instant due = refused + backoff_of(entry);
  unlink(uid, entry);
  entry.due = due;
  entry.help = help;
  entry.place = due <= now ? QueuePlace::Active : QueuePlace::BackingOff;
  link(uid, entry);
}

std::vector<std::string> SchedulingQueue::unschedulable() const {
  std::vector<std::string> uids;
  for (const auto& [due, uid] : parked_) uids.push_back(uid);
  return uids;
}

std::optional<Instant> SchedulingQueue::next_due() const {
  if (!active_.empty() || !helped_.empty()) return Instant::min();
  std::optional<Instant> next;
  for (const std::set<Alarm>* alarms : {&backing_off_, &parked_}) {
    if (alarms->empty()) continue;
    if (!next || alarms->begin()->first < *next) next = alarms->begin()->first;
  }
  return next;
}

int SchedulingQueue::attempts(const std::string& uid) const {
  const auto found = entries_.find(uid);
  return found == entries_.end() ? 0 : found->second.attempts;
}

Instant SchedulingQueue::since(const std::string& uid) const {
  const auto found = entries_.find(uid);
  CHECK(found != entries_.end());
  return found->second.added;
}

QueueCounts SchedulingQueue::counts() const {
  return {.active = active_.size(),
          .backing_off = backing_off_.size(),
          .unschedulable = parked_.size(),
          .gated = gated_};
}

}  // namespace berth::nodes
