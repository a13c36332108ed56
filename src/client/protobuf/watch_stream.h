// Cuts the protobuf stream of a watch into its events: the same as WatchDecoder for JSON.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "client/protobuf/decoder.h"
#include "client/watch_decoder.h"

namespace berth::client::protobuf {

// Objects come out with only what the plan keeps of them.
class WatchStream {
 public:
  explicit WatchStream(std::shared_ptr<const DecodingPlan> plan,
                       std::size_t event_bytes_max = WatchDecoder::kEventBytesMax);

  // As WatchDecoder; the code of what cannot be read is NotAcceptable: JSON may work. Frames of
  // four bytes with a length, the highest first, and one event each.
  DecodedEvents feed(std::string_view bytes);
  bool at_boundary() const { return partial_.empty() && !failed_; }

 private:
  // How long the frame at the front is with its four bytes; 0 when that cannot be told yet.
  std::size_t frame_size(std::string_view bytes) const;
  Result<WatchEvent> decode(std::string_view frame);
  void take_frames(std::string_view& bytes, DecodedEvents& result);
  void fail(DecodedEvents& result, Error error);

  std::size_t event_bytes_max_;
  Decoder objects_;
  Decoder bookmarks_;
  std::string partial_ = {};  // The start of a frame whose end is not here yet.
  bool failed_ = false;
};

}  // namespace berth::client::protobuf
