#include "apiserver/objects/event_kinds.h"

#include <array>
#include <string_view>

namespace berth::apiserver {
namespace {

struct Names {
  std::string_view core;
  std::string_view other;
};

constexpr std::array kNames = {
    Names{"involvedObject", "regarding"},
    Names{"message", "note"},
    Names{"source", "deprecatedSource"},
    Names{"firstTimestamp", "deprecatedFirstTimestamp"},
    Names{"lastTimestamp", "deprecatedLastTimestamp"},
    Names{"count", "deprecatedCount"},
    Names{"reportingComponent", "reportingController"},
};

// The same members in the same order under their other names.
template <typename Rename>
json::Value renamed(const json::Value& event, std::string_view api_version, const Rename& rename) {
  json::Value result = json::Value::object();
  result.reserve(event.size());
  for (const json::Member& member : event.members()) {
    result[rename(member.name())] = member.value;
  }
  result["apiVersion"] = api_version;
  return result;
}

}  // namespace

json::Value to_core_event(const json::Value& event) {
  return renamed(event, "v1", [](std::string_view name) {
    for (const Names& names : kNames) {
      if (names.other == name) return names.core;
    }
    return name;
  });
}

json::Value from_core_event(const json::Value& event) {
  return renamed(event, "events.k8s.io/v1", [](std::string_view name) {
    for (const Names& names : kNames) {
      if (names.core == name) return names.other;
    }
    return name;
  });
}

}  // namespace berth::apiserver
