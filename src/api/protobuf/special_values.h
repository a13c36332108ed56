// The types to which Kubernetes gives a JSON form of its own, from the small messages that they are
// in protobuf. Everything that cannot be read is a BadRequest.

#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace berth::api::protobuf {

Result<json::Value> text_value(std::string_view bytes);  // A string, which has to be UTF-8.

// RFC 3339, with six digits of a second for a MicroTime; null for a time that is none.
Result<json::Value> time_value(std::string_view message);
Result<json::Value> micro_time_value(std::string_view message);

Result<json::Value> quantity_value(std::string_view message);       // A string.
Result<json::Value> int_or_string_value(std::string_view message);  // A number or a string.
Result<json::Value> strings_value(std::string_view message);        // An array of strings.

// The JSON that the message carries as it stands; null when there is none. RawExtension, FieldsV1
// and JSON.
Result<json::Value> raw_json_value(std::string_view message, std::size_t depth_max);

}  // namespace berth::api::protobuf
