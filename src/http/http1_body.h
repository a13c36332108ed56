// Decodes HTTP/1.1 bodies that arrive in pieces: by length, in chunks, or until the connection
// ends.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "http/http1_head.h"
#include "http/limits.h"

namespace berth::http {

class Http1BodyDecoder {
 public:
  Http1BodyDecoder(const BodyFraming& framing, const Limits& limits);

  struct Step {
    std::size_t consumed = 0;  // Of the input; what follows is not looked at yet.
    std::string_view data = {};
  };

  // Takes framing and at most `data_max` bytes of data off the front of the input. A step that
  // consumes nothing needs more input. Errors: RequestEntityTooLarge above Limits::body_bytes,
  // BadRequest for broken chunks.
  Result<Step> next(std::string_view input, std::size_t data_max);

  bool done() const { return state_ == State::Done; }

  // Whether the connection may end here: only if the body is told by that.
  bool may_end() const { return done() || framing_ == BodyFraming::Kind::UntilClose; }

 private:
  enum class State : std::uint8_t {
    Data,          // Of a known length, or of the current chunk.
    Endless,       // Until the connection ends.
    Size,          // Digits of a chunk's size.
    Extension,     // After them, up to the end of the line.
    SizeEnd,       // The LF of that line.
    DataEnd,       // The CR after a chunk's data,
    DataEndLf,     // and its LF.
    TrailerBegin,  // Of a line after the last chunk.
    Trailer,
    TrailerEnd,  // The LF of a trailer line.
    LastLf,      // The LF of the empty line at the very end.
    Done,
  };

  Step take_data(std::string_view input, std::size_t data_max);
  Status take_framing(char c);
  Status take_size(char c);
  Status begin_chunk();
  Status check_total(std::uint64_t more) const;

  BodyFraming::Kind framing_;
  std::uint64_t body_bytes_max_;
  std::size_t trailer_bytes_max_;
  State state_ = State::Done;
  std::uint64_t left_ = 0;   // Of the length or the current chunk.
  std::uint64_t total_ = 0;  // Data so far, the current chunk included.
  std::size_t line_ = 0;     // Bytes of the current size line, or of all trailers.
  std::size_t digits_ = 0;
};

}  // namespace berth::http
