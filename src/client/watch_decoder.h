// Cuts the byte stream of a watch into its events, in whatever pieces it arrives.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/parse.h"
#include "json/value.h"

namespace berth::client {

struct WatchEvent {
  enum class Type : std::uint8_t { Added, Modified, Deleted, Bookmark, Error };

  Type type = Type::Added;
  json::Value object = {};
  bool is_projected = false;  // The object has only what its reader wants to keep.
};

// "ADDED" and so on.
std::optional<WatchEvent::Type> event_type(std::string_view name);

struct DecodedEvents {
  std::vector<WatchEvent> events = {};          // Complete ones, in order, before any failure.
  std::optional<Error> failure = std::nullopt;  // The stream is unusable from here on.
};

class WatchDecoder {
 public:
  // An object in etcd has at most 1.5 MiB by default; JSON can be some times larger.
  static constexpr std::size_t kEventBytesMax = 32 * 1024 * 1024;

  explicit WatchDecoder(std::size_t event_bytes_max = kEventBytesMax)
      : event_bytes_max_(event_bytes_max) {}

  // JSON documents with or without white space between them. After a failure nothing more is read.
  DecodedEvents feed(std::string_view bytes);

  // Whether the stream may end here: between two events.
  bool at_boundary() const { return state_ == State::Between; }

 private:
  enum class State : std::uint8_t { Between, Inside, InString, InEscape, Failed };

  // Consumes bytes up to the end of the event at hand, or all; how many.
  std::size_t scan(std::string_view bytes);
  static Result<WatchEvent> decode(json::Parser& parser, std::string_view text);
  void fail(DecodedEvents& result, Error error);

  std::size_t event_bytes_max_;
  State state_ = State::Between;
  std::size_t depth_ = 0;
  std::string partial_ = {};  // What came of an event whose end is not here yet.
};

}  // namespace berth::client
