#include "client/protobuf/watch_stream.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::client::protobuf {
namespace {

constexpr std::size_t kLengthBytes = 4;

// The reflector reads their version and the mark at the end of initial events.
std::shared_ptr<const DecodingPlan> bookmark_plan(const DecodingPlan& objects) {
  return DecodingPlan::of_message(objects.root().name, Projection::only({"metadata.annotations"}));
}

Error bad_event(std::string_view problem) {
  return {.code = Code::NotAcceptable,
          .message = fmt::format("the watch sent a bad event: {}", problem)};
}

// metav1.WatchEvent: the type, and the object in a RawExtension.
struct Event {
  std::string_view type = {};
  std::string_view object = {};
};

Result<Event> open(std::string_view frame) {
  Event event;
  std::string_view extension;
  WireReader reader(frame);
  while (const auto field = reader.next()) {
    if (field->number == 1) event.type = field->bytes;
    if (field->number == 2) extension = field->bytes;
  }
  WireReader raw(extension);
  while (const auto field = raw.next()) {
    if (field->number == 1) event.object = field->bytes;
  }
  const bool broken = reader.failed() || raw.failed();
  if (broken) return failure(bad_event("it is not in the wire format of protobuf"));
  return event;
}

}  // namespace

WatchStream::WatchStream(std::shared_ptr<const DecodingPlan> plan, std::size_t event_bytes_max)
    : event_bytes_max_(event_bytes_max), objects_(plan), bookmarks_(bookmark_plan(*plan)) {}

std::size_t WatchStream::frame_size(std::string_view bytes) const {
  if (bytes.size() < kLengthBytes) return 0;
  std::size_t size = 0;
  for (const char byte : bytes.substr(0, kLengthBytes)) {
    size = size << 8 | static_cast<std::uint8_t>(byte);
  }
  return kLengthBytes + size;
}

DecodedEvents WatchStream::feed(std::string_view bytes) {
  DecodedEvents result;
  while (!partial_.empty() && !bytes.empty() && !failed_) {
    // Only as much as completes the length, then the frame: the rest need not be copied.
    const std::size_t size = frame_size(partial_);
    const std::size_t wanted = (size == 0 ? kLengthBytes : size) - partial_.size();
    const std::string_view piece = bytes.substr(0, wanted);
    partial_ += piece;
    bytes.remove_prefix(piece.size());
    std::string_view frame = partial_;
    take_frames(frame, result);
    if (frame.empty()) partial_.clear();
  }
  if (!failed_) take_frames(bytes, result);
  if (!failed_) partial_ += bytes;
  return result;
}

// Takes the whole frames off the front.
void WatchStream::take_frames(std::string_view& bytes, DecodedEvents& result) {
  for (;;) {
    const std::size_t size = frame_size(bytes);
    if (size > kLengthBytes + event_bytes_max_) {
      return fail(result, {.code = Code::RequestEntityTooLarge,
                           .message = fmt::format("an event of the watch exceeds {} bytes",
                                                  event_bytes_max_)});
    }
    if (size == 0 || size > bytes.size()) return;
    auto event = decode(bytes.substr(kLengthBytes, size - kLengthBytes));
    bytes.remove_prefix(size);
    if (!event.ok()) return fail(result, std::move(event).error());
    result.events.push_back(std::move(*event));
  }
}

Result<WatchEvent> WatchStream::decode(std::string_view frame) {
  ASSIGN_OR_RETURN(const Event event, open(frame));
  const auto type = event_type(event.type);
  if (!type) {
    return failure(bad_event(fmt::format("unknown type {}", quote(cut_utf8(event.type, 40)))));
  }
  auto object = *type == WatchEvent::Type::Error      ? decode_status(event.object)
                : *type == WatchEvent::Type::Bookmark ? bookmarks_.decode(event.object)
                                                      : objects_.decode(event.object);
  if (!object.ok()) return failure(bad_event(object.error().message));
  return WatchEvent{.type = *type, .object = *std::move(object), .is_projected = true};
}

void WatchStream::fail(DecodedEvents& result, Error error) {
  failed_ = true;
  partial_ = {};
  result.failure = std::move(error);
}

}  // namespace berth::client::protobuf
