#include "api/protobuf/testing/proto.h"

namespace berth::api::testing {

void Proto::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
  bytes_ += static_cast<char>(value);
}

Proto& Proto::number(std::uint32_t field, std::uint64_t value) {
  varint(field << 3);
  varint(value);
  return *this;
}

Proto& Proto::text(std::uint32_t field, std::string_view value) {
  varint(field << 3 | 2);
  varint(value.size());
  bytes_ += value;
  return *this;
}

Proto& Proto::entry(std::uint32_t field, std::string_view name, std::string_view value) {
  return message(field, Proto().text(1, name).text(2, value));
}

}  // namespace berth::api::testing
