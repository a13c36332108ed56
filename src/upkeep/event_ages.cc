#include "upkeep/event_ages.h"

#include <algorithm>

#include "api/kinds/fields.h"
#include "api/metadata.h"

namespace berth::upkeep {

std::optional<Time> last_heard_of(const json::Value& event) {
  // An optional without a time is less than any with one.
  return std::max({api::time_field(api::field(event, "series"), "lastObservedTime"),
                   api::time_field(event, "lastTimestamp"),
                   api::time_field(event, "deprecatedLastTimestamp"),
                   api::time_field(event, "eventTime"), api::Metadata(event).creation_time()});
}

void EventAges::put(const json::Value& event) {
  const api::Metadata metadata(event);
  const api::ObjectKey key = metadata.key();
  remove(key);
  const std::optional<Time> last = last_heard_of(event);
  if (!last) return;
  const auto added =
      entries_.emplace(key, Entry{.due = *last + lifetime_,
                                  .resource_version = std::string(metadata.resource_version())});
  order_.insert(added.first);
}

void EventAges::remove(const api::ObjectKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  order_.erase(found);
  entries_.erase(found);
}

void EventAges::put_off(const Expired& expired, Time due) {
  const auto added = entries_.emplace(
      expired.key, Entry{.due = due, .resource_version = expired.resource_version});
  if (added.second) order_.insert(added.first);
}

void EventAges::clear() {
  order_.clear();
  entries_.clear();
}

std::vector<EventAges::Expired> EventAges::take_due(Time now, std::size_t at_most) {
  std::vector<Expired> due;
  while (due.size() < at_most && !order_.empty() && (*order_.begin())->second.due <= now) {
    const auto first = *order_.begin();
    order_.erase(order_.begin());
    due.push_back({.key = first->first, .resource_version = first->second.resource_version});
    entries_.erase(first);
  }
  return due;
}

std::optional<Time> EventAges::next_due() const {
  if (order_.empty()) return std::nullopt;
  return (*order_.begin())->second.due;
}

}  // namespace berth::upkeep
