#include "control/event_recorder.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/text_of.h"

namespace berth::control {
namespace {

using json::Value;

// The server refuses longer ones.
constexpr std::size_t kNoteMax = 1024;
constexpr std::size_t kReasonMax = 128;
constexpr std::string_view kNamespaceOfClusterScoped = "default";

std::string_view type_name(EventType type) {
  return type == EventType::Normal ? "Normal" : "Warning";
}

// Parts end in a NUL, which none of them can contain: no two lists of parts give the same key.
void append_part(std::string& key, std::string_view part) {
  key += part;
  key += '\0';
}

void append_reference(std::string& key, const Value& reference) {
  for (const std::string_view field : {"apiVersion", "kind", "namespace", "name", "uid"}) {
    append_part(key, text_of(reference, field));
  }
}

// What makes two events the same: everything but the note and the time.
std::string key_of(const Event& event) {
  std::string key;
  append_part(key, type_name(event.type));
  append_part(key, event.reason);
  append_part(key, event.action);
  append_reference(key, event.regarding);
  if (event.related) append_reference(key, *event.related);
  return key;
}

Value series_of(int count, Time last_seen) {
  return Value::object({{"count", count}, {"lastObservedTime", format_micros(last_seen)}});
}

std::int64_t nanoseconds_since_epoch(Time time) { return (time - Time{}).count(); }

}  // namespace

Value object_reference(const Value& object) {
  const auto metadata = [&](std::string_view field) {
    return text_at(object, {"metadata", field});
  };
  Value reference = Value::object();
  const std::pair<std::string_view, std::string_view> fields[] = {
      {"apiVersion", text_of(object, "apiVersion")},
      {"kind", text_of(object, "kind")},
      {"namespace", metadata("namespace")},
      {"name", metadata("name")},
      {"uid", metadata("uid")},
      {"resourceVersion", metadata("resourceVersion")},
  };
  for (const auto& [field, text] : fields) {
    if (!text.empty()) reference.append_member(field, text);
  }
  return reference;
}

std::optional<EventRecorder::EventWrite> EventRecorder::record(const Event& event, Time now) {
  const std::string key = key_of(event);
  if (const auto found = series_.find(key); found != series_.end()) {
    if (now - found->second.last_seen <= options_.series_silence) return repeat(found->second, now);
    drop(key);
  }
  return begin(event, key, now);
}

std::optional<EventRecorder::EventWrite> EventRecorder::repeat(Series& series, Time now) {
  ++series.count;
  series.last_seen = now;
  ages_.splice(ages_.end(), ages_, series.age);
  const bool first_repeat = series.count == 2;
  if (!first_repeat && now - series.last_told < options_.series_heartbeat) return std::nullopt;
  series.last_told = now;
  return Patch{.event_namespace = series.event_namespace,
               .name = series.name,
               .patch = Value::object({{"series", series_of(series.count, now)}})};
}

EventRecorder::Create EventRecorder::begin(const Event& event, const std::string& key, Time now) {
  std::string_view event_namespace = text_of(event.regarding, "namespace");
  if (event_namespace.empty()) event_namespace = kNamespaceOfClusterScoped;
  // Two events of one moment are two events.
  last_name_ = std::max(nanoseconds_since_epoch(now), last_name_ + 1);
  const std::string name = fmt::format("{}.{:x}", text_of(event.regarding, "name"), last_name_);

  if (series_.size() >= options_.series_max) drop(ages_.front());
  const auto age = ages_.insert(ages_.end(), key);
  series_[key] = {.name = name,
                  .event_namespace = std::string(event_namespace),
                  .last_seen = now,
                  .last_told = now,
                  .age = age};
  key_of_name_[name] = key;

  Value body = Value::object({
      {"apiVersion", "events.k8s.io/v1"},
      {"kind", "Event"},
      {"metadata", Value::object({{"name", name}, {"namespace", event_namespace}})},
      {"eventTime", format_micros(now)},
      {"reportingController", options_.controller},
      {"reportingInstance", options_.instance},
      {"action", cut_utf8(event.action, kReasonMax)},
      {"reason", cut_utf8(event.reason, kReasonMax)},
      {"regarding", event.regarding},
      {"note", cut_utf8(event.note, kNoteMax)},
      {"type", type_name(event.type)},
  });
  if (event.related) body.append_member("related", *event.related);
  return {.event_namespace = std::string(event_namespace), .event = std::move(body)};
}

void EventRecorder::forget(const std::string& name) {
  const auto found = key_of_name_.find(name);
  if (found != key_of_name_.end()) drop(std::string(found->second));
}

void EventRecorder::drop(const std::string& key) {
  const auto found = series_.find(key);
  key_of_name_.erase(found->second.name);
  const auto age = found->second.age;
  series_.erase(found);
  ages_.erase(age);
}

}  // namespace berth::control
