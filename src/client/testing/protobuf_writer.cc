#include "client/testing/protobuf_writer.h"

namespace berth::client::testing {

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

std::string envelope(std::string_view kind, const Proto& message) {
  using namespace std::string_literals;
  const Proto unknown = Proto()
                            .message(1, Proto().text(1, "v1").text(2, kind))
                            .message(2, message)
                            .text(3, "")
                            .text(4, "");
  return "k8s\0"s + unknown.bytes();
}

std::string event_frame(std::string_view type, std::string_view object) {
  const std::string event = Proto().text(1, type).message(2, Proto().text(1, object)).bytes();
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(event.size() >> shift);
  return frame + event;
}

}  // namespace berth::client::testing
