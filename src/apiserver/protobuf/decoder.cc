#include "apiserver/protobuf/decoder.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/protobuf/envelope.h"
#include "apiserver/protobuf/message_reader.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using api::protobuf::Envelope;

std::string version_of(const api::Gvk& kind) {
  return api::GroupVersion{.group = kind.group, .version = kind.version}.text();
}

// Kubernetes' own words for a body that belongs to another endpoint.
Status check_type(const Envelope& envelope, const api::Gvk& expected) {
  if (!envelope.kind.empty() && envelope.kind != expected.kind) {
    return failure(
        Code::BadRequest,
        fmt::format("{} in version {} cannot be handled as a {}: the body is of that kind",
                    envelope.kind, quote(envelope.api_version), expected.kind));
  }
  // Options have the version of whatever group they are sent for.
  const bool is_anywhere = envelope.api_version.empty() || expected.kind == "DeleteOptions";
  if (!is_anywhere && envelope.api_version != version_of(expected)) {
    return failure(
        Code::BadRequest,
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    envelope.api_version, version_of(expected)));
  }
  return {};
}

}  // namespace

Result<json::Value> decode_protobuf(const MessageTable& table, std::string_view bytes,
                                    const api::Gvk& expected) {
  const MessageType* type = table.find_kind(expected);
  if (!type) {
    return failure(Code::UnsupportedMediaType,
                   fmt::format("{} cannot be sent in protobuf", expected.kind));
  }
  ASSIGN_OR_RETURN(const Envelope envelope, api::protobuf::open_envelope(bytes));
  RETURN_IF_ERROR(check_type(envelope, expected));
  std::vector<json::Member> members;
  const std::string version = version_of(expected);
  members.push_back(
      {.key = "apiVersion",
       .value = envelope.api_version.empty() ? std::string_view(version) : envelope.api_version});
  members.push_back({.key = "kind", .value = expected.kind});
  auto read = read_message(*type, envelope.message, std::move(members));
  if (!read.ok()) {
    return failure(Code::BadRequest, fmt::format("the body is not a {} in protobuf: {}",
                                                 expected.kind, read.error().message));
  }
  return json::Value::take_object(*read);
}

}  // namespace berth::apiserver
