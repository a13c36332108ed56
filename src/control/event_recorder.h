// Turns what happened into events.k8s.io/v1 Events: a repeated one becomes a series instead of a
// flood.

#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "base/time.h"
#include "json/value.h"

namespace berth::control {

enum class EventType { Normal, Warning };

struct Event {
  json::Value regarding;  // An ObjectReference: apiVersion, kind, namespace, name, uid.
  EventType type = EventType::Normal;
  std::string reason;  // CamelCase, from a small closed set.
  std::string action;  // CamelCase: what the controller did.
  std::string note = {};
  std::optional<json::Value> related = std::nullopt;
};

struct EventRecorderOptions {
  std::string controller;                             // Qualified: berth.dev/placement.
  std::string instance;                               // Of this process: berth-host_uuid.
  std::size_t series_max = 4096;                      // Remembered; the oldest is forgotten.
  Duration series_silence = std::chrono::minutes(6);  // Then a repetition starts anew.
  Duration series_heartbeat =
      std::chrono::minutes(30);  // A running series is refreshed this often.
};

// A reference to an object, as an Event's `regarding` wants it.
json::Value object_reference(const json::Value& object);

// Pure: what to send is the answer. The shell sends it, best effort, and reports a failed patch.
class EventRecorder {
 public:
  struct Create {
    std::string event_namespace;
    json::Value event;
  };
  struct Patch {
    std::string event_namespace;
    std::string name;
    json::Value patch;  // A merge patch of `series`.
  };
  using EventWrite = std::variant<Create, Patch>;

  explicit EventRecorder(EventRecorderOptions options) : options_(std::move(options)) {}

  // Nothing to send when a running series has been told recently enough.
  std::optional<EventWrite> record(const Event& event, Time now);

  // The event of that name is gone on the server: the next repetition creates it again.
  void forget(const std::string& name);

  std::size_t remembered() const { return series_.size(); }

 private:
  struct Series {
    std::string name;
    std::string event_namespace;
    int count = 1;
    Time last_seen;
    Time last_told;
    std::list<std::string>::iterator age;  // Its place in ages_.
  };

  std::optional<EventWrite> repeat(Series& series, Time now);
  Create begin(const Event& event, const std::string& key, Time now);
  void drop(const std::string& key);

  EventRecorderOptions options_;
  std::int64_t last_name_ = -1;  // Nanoseconds in the newest name.
  std::map<std::string, Series> series_;
  std::map<std::string, std::string> key_of_name_;
  std::list<std::string> ages_;  // Keys, the longest unused first.
};

}  // namespace berth::control
