// One event of a watch, as it goes over the wire.

#pragma once

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

}  // namespace berth::apiserver
