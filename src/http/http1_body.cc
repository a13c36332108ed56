#include "http/http1_body.h"

#include <algorithm>
#include <string>

namespace berth::http {
namespace {

constexpr std::size_t kSizeDigitsMax = 15;  // Any such size fits into 64 bits.
constexpr std::size_t kSizeLineMax = 256;

std::unexpected<Error> broken(std::string_view what) {
  return failure(Code::BadRequest, "HTTP/1.1: chunked body: " + std::string(what));
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Http1BodyDecoder::Http1BodyDecoder(const BodyFraming& framing, const Limits& limits)
    : framing_(framing.kind),
      body_bytes_max_(limits.body_bytes),
      trailer_bytes_max_(limits.header_bytes) {
  switch (framing.kind) {
    case BodyFraming::Kind::None:
      return;
    case BodyFraming::Kind::Length:
      left_ = total_ = framing.length;
      if (left_ > 0) state_ = State::Data;
      return;
    case BodyFraming::Kind::Chunked:
      state_ = State::Size;
      return;
    case BodyFraming::Kind::UntilClose:
      state_ = State::Endless;
      return;
  }
}

Result<Http1BodyDecoder::Step> Http1BodyDecoder::next(std::string_view input,
                                                      std::size_t data_max) {
  RETURN_IF_ERROR(check_total(0));  // A length above the limit is known before any data.
  std::size_t framing = 0;
  while (framing < input.size() && state_ != State::Done) {
    if (state_ == State::Data || state_ == State::Endless) {
      Step step = take_data(input.substr(framing), data_max);
      RETURN_IF_ERROR(check_total(0));
      step.consumed += framing;
      return step;
    }
    RETURN_IF_ERROR(take_framing(input[framing]));
    ++framing;
  }
  return Step{.consumed = framing};
}

Http1BodyDecoder::Step Http1BodyDecoder::take_data(std::string_view input, std::size_t data_max) {
  std::size_t size = std::min(input.size(), data_max);
  if (state_ == State::Endless) {
    total_ += size;
    return {.consumed = size, .data = input.substr(0, size)};
  }
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
  left_ -= size;
  if (left_ == 0) state_ = framing_ == BodyFraming::Kind::Chunked ? State::DataEnd : State::Done;
  return {.consumed = size, .data = input.substr(0, size)};
}

Status Http1BodyDecoder::check_total(std::uint64_t more) const {
  if (total_ <= body_bytes_max_ && more <= body_bytes_max_ - total_) return {};
  return failure(Code::RequestEntityTooLarge,
                 "the body is too large: limit is " + std::to_string(body_bytes_max_));
}

Status Http1BodyDecoder::take_framing(char c) {
  switch (state_) {
    case State::Size:
    case State::Extension:
      return take_size(c);
    case State::SizeEnd:
      if (c != '\n') return broken("LF expected after the CR of a size line");
      return begin_chunk();
    case State::DataEnd:
      if (c != '\r') return broken("CR expected after the data of a chunk");
      state_ = State::DataEndLf;
      return {};
    case State::DataEndLf:
      if (c != '\n') return broken("LF expected after the data of a chunk");
      state_ = State::Size;
      line_ = digits_ = 0;
      left_ = 0;
      return {};
    case State::TrailerBegin:
      state_ = c == '\r' ? State::LastLf : State::Trailer;
      [[fallthrough]];
    case State::Trailer:
      if (++line_ > trailer_bytes_max_) return broken("the trailers are too large");
      if (c == '\n') return broken("a trailer line must end in CR and LF");
      if (state_ == State::Trailer && c == '\r') state_ = State::TrailerEnd;
      return {};
    case State::TrailerEnd:
      if (c != '\n') return broken("LF expected after the CR of a trailer");
      state_ = State::TrailerBegin;
      return {};
    case State::LastLf:
      if (c != '\n') return broken("LF expected at the end");
      state_ = State::Done;
      return {};
    case State::Data:
    case State::Endless:
    case State::Done:
      break;
  }
  return {};
}

Status Http1BodyDecoder::take_size(char c) {
  if (++line_ > kSizeLineMax) return broken("a size line is too long");
  if (c == '\r') {
    if (digits_ == 0) return broken("a size expected before a chunk");
    state_ = State::SizeEnd;
    return {};
  }
  if (state_ == State::Extension) {
    if (c == '\n') return broken("a size line must end in CR and LF");
    return {};
  }
  const int digit = hex_value(c);
  if (digit < 0) {
    const bool extension = digits_ > 0 && (c == ';' || c == ' ' || c == '\t');
    if (!extension) return broken("a hexadecimal size expected before a chunk");
    state_ = State::Extension;
    return {};
  }
  if (++digits_ > kSizeDigitsMax) return broken("a chunk's size has too many digits");
  left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
  return {};
}

Status Http1BodyDecoder::begin_chunk() {
  if (left_ == 0) {
    state_ = State::TrailerBegin;
    line_ = 0;
    return {};
  }
  RETURN_IF_ERROR(check_total(left_));
  total_ += left_;
  state_ = State::Data;
  return {};
}

}  // namespace berth::http
