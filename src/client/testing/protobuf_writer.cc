#include "client/testing/protobuf_writer.h"

namespace berth::client::testing {

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
