// /openapi/v2, as short as it can be. kubectl asks for it when /openapi/v3 does not know a kind
// ("List", or one whose definition is missing), and gives up where there is none. Nothing stands in
// it, so that the checks are left to the server, which makes them anyway.

#pragma once

#include <string>
#include <string_view>

namespace berth::apiserver {

// The form in which every client written in Go asks for it, and what the answer calls it: an @ is
// not allowed there, and Go refuses it.
inline constexpr std::string_view kSwaggerProtobufAsked =
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
inline constexpr std::string_view kSwaggerProtobuf =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

// A document that describes nothing, for a server of that version.
std::string swagger_json(std::string_view server_version);
std::string swagger_protobuf(std::string_view server_version);

}  // namespace berth::apiserver
