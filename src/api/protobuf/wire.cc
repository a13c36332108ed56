#include "api/protobuf/wire.h"

namespace berth::api::protobuf {
namespace {

constexpr std::uint64_t kNumberMax = (1u << 29) - 1;
constexpr unsigned kVarintBits = 64;

}  // namespace

std::optional<std::uint64_t> WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < kVarintBits && at_ < bytes_.size(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(bytes_[at_++]);
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> WireReader::take(std::uint64_t size) {
  if (size > bytes_.size() - at_) return std::nullopt;
  const std::string_view taken = bytes_.substr(at_, size);
  at_ += size;
  return taken;
}

std::optional<WireField> WireReader::fail() {
  failed_ = true;
  at_ = bytes_.size();
  return std::nullopt;
}

std::optional<WireField> WireReader::next() {
  if (at_ == bytes_.size()) return std::nullopt;
  const auto tag = varint();
  if (!tag || *tag >> 3 == 0 || *tag >> 3 > kNumberMax) return fail();
  WireField field{.number = static_cast<std::uint32_t>(*tag >> 3)};
  std::optional<std::uint64_t> size;
  switch (*tag & 7) {
    case 0: {
      const auto value = varint();
      if (!value) return fail();
      field.varint = *value;
      return field;
    }
    case 1:
      field.type = WireType::Fixed64;
      size = 8;
      break;
    case 2:
      field.type = WireType::Bytes;
      size = varint();
      break;
    case 5:
      field.type = WireType::Fixed32;
      size = 4;
      break;
    default:
      return fail();  // Groups, which nobody writes any more.
  }
  const auto bytes = size ? take(*size) : std::nullopt;
  if (!bytes) return fail();
  field.bytes = *bytes;
  return field;
}

bool WireReader::next_is(std::uint32_t number) const {
  WireReader ahead = *this;
  const auto tag = ahead.varint();
  return tag && *tag >> 3 == number;
}

}  // namespace berth::api::protobuf
