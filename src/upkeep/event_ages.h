// Which Events have been there long enough: in the order in which they were last heard of, at the
// price of one small entry each.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "api/object_key.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::upkeep {

// When it was written, or what it tells of happened, whichever is later: news of long ago is news,
// too. nullopt: it has no time that can be read.
std::optional<Time> last_heard_of(const json::Value& event);

class EventAges {
 public:
  explicit EventAges(Duration lifetime) : lifetime_(lifetime) {}

  struct Expired {
    api::ObjectKey key;
    std::string resource_version;  // An Event that happened again has another one.

    bool operator==(const Expired&) const = default;
  };

  void put(const json::Value& event);
  void remove(const api::ObjectKey& key);
  void clear();

  // Once more at that time, unless it has happened again since.
  void put_off(const Expired& expired, Time due);

  // Takes out what is due, the oldest first, at most so many.
  std::vector<Expired> take_due(Time now, std::size_t at_most);
  std::optional<Time> next_due() const;
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Time due;
    std::string resource_version;
  };
  using Entries = std::map<api::ObjectKey, Entry>;
  struct ByDue {
    bool operator()(Entries::const_iterator a, Entries::const_iterator b) const {
      return std::tie(a->second.due, a->first) < std::tie(b->second.due, b->first);
    }
  };

  Duration lifetime_;
  Entries entries_;
  std::set<Entries::const_iterator, ByDue> order_;
};

}  // namespace berth::upkeep
