#include "apiserver/watch/event_text.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kFrameBytes = 40;  // Around the object.

}  // namespace

std::string_view event_type_name(EventType type) {
  switch (type) {
    case EventType::Added:
      return "ADDED";
    case EventType::Modified:
      return "MODIFIED";
    case EventType::Deleted:
      return "DELETED";
    case EventType::Bookmark:
      return "BOOKMARK";
    case EventType::Error:
      break;
  }
  return "ERROR";
}

void append_event(std::string& text, EventType type, std::string_view object_text) {
  begin_event(text, type, object_text.size());
  text += object_text;
  end_event(text);
}

void begin_event(std::string& text, EventType type, std::size_t object_bytes) {
  text.reserve(text.size() + kFrameBytes + object_bytes);
  text += "{\"type\":\"";
  text += event_type_name(type);
  text += "\",\"object\":";
}

void end_event(std::string& text) { text += "}\n"; }

}  // namespace berth::apiserver
