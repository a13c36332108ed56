// The wire format of protocol buffers: a run of numbered fields. Reads it; knows no messages.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::api::protobuf {

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::Varint;
  std::uint64_t varint = 0;     // Of a Varint.
  std::string_view bytes = {};  // Of the others: what there is between this field and the next.
};

// The bytes outlive the reader and what it returns.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  // nullopt at the end, and when the bytes are not of this format: see failed().
  std::optional<WireField> next();

  // Whether there is another field and it has that number.
  bool next_is(std::uint32_t number) const;

  bool failed() const { return failed_; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<std::string_view> take(std::uint64_t size);
  std::optional<WireField> fail();

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace berth::api::protobuf
