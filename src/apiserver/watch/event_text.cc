#include "apiserver/watch/event_text.h"

namespace berth::apiserver {

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
  text += "{\"type\":\"";
  text += event_type_name(type);
  text += "\",\"object\":";
  text += object_text;
  text += "}\n";
}

}  // namespace berth::apiserver
