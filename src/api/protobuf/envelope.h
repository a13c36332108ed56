// What stands around every Kubernetes object in protobuf: four bytes, its type, and the message.

#pragma once

#include <string_view>

#include "base/result.h"

namespace berth::api::protobuf {

inline constexpr std::string_view kContentType = "application/vnd.kubernetes.protobuf";

// The views point into the bytes that were opened.
struct Envelope {
  std::string_view api_version = {};
  std::string_view kind = {};
  std::string_view message = {};
};

// BadRequest when the bytes are none, with what is wrong. The two texts are UTF-8.
Result<Envelope> open_envelope(std::string_view bytes);

}  // namespace berth::api::protobuf
