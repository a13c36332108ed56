#include "kube/history.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace berth::kube {
namespace {

using client::WatchEvent;
using json::Value;

std::string words(const Told& told) {
  return fmt::format("{} \"{}\"{}", told.name, told.text, told.is_gone ? " gone" : "");
}

}  // namespace

std::int64_t version_of(const Value& object_or_list) {
  const Value* version = object_or_list.find_path({"metadata", "resourceVersion"});
  std::int64_t number = 0;
  const std::string_view text = version ? version->string_or_empty() : "";
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Told told_by(const Value& config_map) {
  const auto at = [&](std::string_view outer, std::string_view inner) {
    const Value* found = config_map.find_path({outer, inner});
    return std::string(found ? found->string_or_empty() : "");
  };
  return {.name = at("metadata", "name"), .text = at("data", "text")};
}

void History::note(std::int64_t version, const Told& told) {
  newest_ = std::max(newest_, version);
  const auto [place, is_new] = at_version_.emplace(version, told);
  if (is_new || place->second == told) return;
  problems_.push_back(
      fmt::format("version {} is both {} and {}", version, words(place->second), words(told)));
}

void History::begin(const Value& first) {
  list(first);
  watched_ = listed_;
  last_event_ = version_of(first);
}

void History::acknowledge(const Value& object) {
  const std::int64_t version = version_of(object);
  const Told told = told_by(object);
  if (acknowledged_.contains(version)) {
    problems_.push_back(fmt::format("version {} was given to two writes", version));
  }
  note(version, told);
  acknowledged_.emplace(version, told);
}

void History::acknowledge_removal(const Told& last) {
  Told gone = last;
  gone.is_gone = true;
  removed_.insert(std::move(gone));
}

void History::list(const Value& list) {
  if (version_of(list) < newest_) {
    problems_.push_back(
        fmt::format("a list of version {} after {} was seen", version_of(list), newest_));
  }
  newest_ = std::max(newest_, version_of(list));
  listed_.clear();
  const Value* items = list.find("items");
  if (!items) return;
  for (const Value& item : items->elements()) {
    note(version_of(item), told_by(item));
    listed_[told_by(item).name] = version_of(item);
  }
}

void History::event(const WatchEvent& event) {
  const std::int64_t version = version_of(event.object);
  if (event.type == WatchEvent::Type::Error) {
    problems_.push_back("the watch failed");
    return;
  }
  const bool is_bookmark = event.type == WatchEvent::Type::Bookmark;
  if (is_bookmark ? version < last_event_ : version <= last_event_) {
    problems_.push_back(fmt::format("an event of version {} after {}", version, last_event_));
  }
  last_event_ = version;
  newest_ = std::max(newest_, version);
  if (is_bookmark) return;
  Told told = told_by(event.object);
  told.is_gone = event.type == WatchEvent::Type::Deleted;
  const bool was_there = watched_.contains(told.name);
  if (was_there == (event.type == WatchEvent::Type::Added)) {
    problems_.push_back(fmt::format("the event of version {} does not fit what was there: {}",
                                    version, words(told)));
  }
  if (told.is_gone) {
    watched_.erase(told.name);
  } else {
    watched_[told.name] = version;
  }
  note(version, told);
  events_.emplace(version, std::move(told));
}

void History::check_complete() {
  for (const auto& [version, told] : acknowledged_) {
    if (events_.contains(version)) continue;
    problems_.push_back(fmt::format("the watch missed version {}: {}", version, words(told)));
  }
  std::set<Told> seen_gone;
  for (const auto& [version, told] : events_) {
    if (!told.is_gone) continue;
    if (!seen_gone.insert(told).second) {
      problems_.push_back(fmt::format("removed twice: {}", words(told)));
    }
  }
  for (const Told& told : removed_) {
    if (!seen_gone.contains(told)) {
      problems_.push_back(fmt::format("the watch missed the removal of {}", words(told)));
    }
  }
  if (watched_ != listed_) problems_.push_back("the events do not add up to the list");
}

}  // namespace berth::kube
