// The formats of strings that Kubernetes checks in schemas of custom resources. Others ("int32",
// "quantity") are documentation only and are ignored, as there.

#pragma once

#include <cstdint>
#include <string_view>

namespace berth::apiserver {

enum class Format : std::uint8_t {
  None,
  BsonObjectId,
  Uri,
  Email,
  Hostname,
  Ipv4,
  Ipv6,
  Cidr,
  Mac,
  Uuid,
  Uuid3,
  Uuid4,
  Uuid5,
  Isbn,
  Isbn10,
  Isbn13,
  CreditCard,
  Ssn,
  HexColor,
  RgbColor,
  Byte,
  Password,
  Date,
  Duration,
  DateTime,
  ShortName,
  LongName,
};

// Dashes in the name do not count: "datetime" is "date-time". None when it is not checked.
Format find_format(std::string_view name);

bool has_format(std::string_view text, Format format);

}  // namespace berth::apiserver
