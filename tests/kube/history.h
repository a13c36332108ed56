// History: what clients were told about ConfigMaps by answers, lists and a watch, and whether all
// of that can be true at once. Pure.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "client/watch_decoder.h"
#include "json/value.h"

namespace berth::kube {

// What one object was at one version. Whoever writes gives each write a text of its own.
struct Told {
  std::string name = {};
  std::string text = {};
  bool is_gone = false;

  auto operator<=>(const Told&) const = default;
};

std::int64_t version_of(const json::Value& object_or_list);
Told told_by(const json::Value& config_map);

class History {
 public:
  // Where the watch begins, and what is there.
  void begin(const json::Value& list);

  // A write was answered: it is durable, and nobody else gets its version.
  void acknowledge(const json::Value& object);
  void acknowledge_removal(const Told& last);  // The answer names no version.

  // Everything there is, in a list.
  void list(const json::Value& list);

  // The next of a watch that began there and always went on where it was cut.
  void event(const client::WatchEvent& event);

  std::int64_t last_event() const { return last_event_; }
  std::size_t acknowledged() const { return acknowledged_.size() + removed_.size(); }

  // When the watch has caught up with the last list: it missed nothing and adds up to the list.
  void check_complete();

  // What cannot be, in words; empty if all is well.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void note(std::int64_t version, const Told& told);

  std::map<std::int64_t, Told> at_version_;  // Whoever told it.
  std::map<std::int64_t, Told> acknowledged_;
  std::set<Told> removed_;  // Acknowledged removals, by the last state.
  std::map<std::int64_t, Told> events_;
  std::int64_t newest_ = 0;  // Of all versions that anybody saw.
  std::int64_t last_event_ = 0;
  std::map<std::string, std::int64_t> listed_;  // The newest list: versions by name.
  std::map<std::string, std::int64_t> watched_;
  std::vector<std::string> problems_;
};

}  // namespace berth::kube
