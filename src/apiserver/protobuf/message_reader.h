// One protobuf message to one JSON object, by the table of messages.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "apiserver/protobuf/message_table.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// How deep messages may lie inside each other. Real ones stay far below: a schema has one for each
// level of its properties.
inline constexpr std::size_t kMessageDepthMax = 200;

// The members at the end of `before`. An error is a BadRequest that names the place:
// "spec: containers: name: a string is not UTF-8".
Result<std::vector<json::Member>> read_message(const MessageType& type, std::string_view bytes,
                                               std::vector<json::Member> before);

}  // namespace berth::apiserver
