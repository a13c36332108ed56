#include "api/protobuf/envelope.h"

#include "api/protobuf/wire.h"
#include "base/strings.h"

namespace berth::api::protobuf {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "k8s\0"sv;

}  // namespace

Result<Envelope> open_envelope(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) {
    return failure(Code::BadRequest, "an object does not start with \"k8s\"");
  }
  Envelope envelope;
  std::string_view type;
  std::string_view encoding;
  WireReader reader(bytes.substr(kMagic.size()));
  while (const auto field = reader.next()) {
    if (field->number == 1) type = field->bytes;
    if (field->number == 2) envelope.message = field->bytes;
    if (field->number == 3) encoding = field->bytes;
  }
  WireReader type_reader(type);
  while (const auto field = type_reader.next()) {
    if (field->number == 1) envelope.api_version = field->bytes;
    if (field->number == 2) envelope.kind = field->bytes;
  }
  if (reader.failed() || type_reader.failed()) {
    return failure(Code::BadRequest,
                   "the envelope of an object is not in the wire format of protobuf");
  }
  if (!is_valid_utf8(envelope.api_version) || !is_valid_utf8(envelope.kind)) {
    return failure(Code::BadRequest, "the type of an object is not UTF-8");
  }
  if (!encoding.empty()) {
    return failure(Code::BadRequest, "the message of an object is encoded once more");
  }
  return envelope;
}

}  // namespace berth::api::protobuf
