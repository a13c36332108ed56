// What an API server sends in protobuf, for tests.

#pragma once

#include <string>
#include <string_view>

#include "api/protobuf/testing/proto.h"

namespace berth::client::testing {

using api::testing::Proto;

// An object as a server sends it.
std::string envelope(std::string_view kind, const Proto& message);

// One event of a watch, in its frame.
std::string event_frame(std::string_view type, std::string_view envelope);

}  // namespace berth::client::testing
