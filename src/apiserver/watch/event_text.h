// One event of a watch, as it goes over the wire.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"
#include "store/entry.h"

namespace berth::apiserver {

enum class EventType : std::uint8_t { Added, Modified, Deleted, Bookmark, Error };
std::string_view event_type_name(EventType type);

// A line of JSON: {"type":"ADDED","object":...}.
void append_event(std::string& text, EventType type, std::string_view object_text);

// The same in two steps, with the object appended in between; it is about that large.
void begin_event(std::string& text, EventType type, std::size_t object_bytes);
void end_event(std::string& text);

}  // namespace berth::apiserver
