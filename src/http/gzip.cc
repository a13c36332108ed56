#include "http/gzip.h"

#include <algorithm>
#include <array>
#include <utility>

#include <zlib.h>

#include "base/check.h"
#include "base/strings.h"

namespace berth::http {
namespace {

constexpr int kGzipWindow = 15 + 16;  // 32 KiB of history, in gzip's own framing.
constexpr std::size_t kPiece = 16 * 1024;
// Below, a high ratio does no harm; and whoever may store an object of 1 MiB of zeros must not be
// able to break every list that contains it.
constexpr std::uint64_t kRatioGrace = 32 * 1024 * 1024;

// zlib reads through a pointer to non-const, but does not write.
Bytef* input_of(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

// The weight of one element of Accept-Encoding is zero: ";q=0", ";q=0.0" and so on.
bool weighs_nothing(std::string_view parameters) {
  for (std::string_view parameter : split(parameters, ';')) {
    parameter = trim(parameter);
    if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
    return parameter.substr(2).find_first_not_of("0.") == std::string_view::npos;
  }
  return false;
}

}  // namespace

bool accepts_gzip(std::optional<std::string_view> accept_encoding) {
  if (!accept_encoding) return false;
  bool any = false;
  for (const std::string_view element : split(*accept_encoding, ',')) {
    const std::size_t end = std::min(element.find(';'), element.size());
    const std::string coding = lower_ascii(trim(element.substr(0, end)));
    const bool wanted = !weighs_nothing(element.substr(std::min(end + 1, element.size())));
    if (coding == "gzip" || coding == "x-gzip") return wanted;
    if (coding == "*") any = wanted;
  }
  return any;
}

GzipEncoder::GzipEncoder(int level) : stream_(std::make_unique<z_stream>()) {
  *stream_ = {};
  const int outcome =
      deflateInit2(stream_.get(), level, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
  CHECK(outcome == Z_OK);  // Fails only for an unknown level or without memory.
}

GzipEncoder::~GzipEncoder() {
  if (stream_) deflateEnd(stream_.get());
}

GzipEncoder::GzipEncoder(GzipEncoder&&) noexcept = default;

GzipEncoder& GzipEncoder::operator=(GzipEncoder&& other) noexcept {
  std::swap(stream_, other.stream_);
  return *this;
}

std::string GzipEncoder::encode(std::string_view input) { return deflate(input, Z_NO_FLUSH); }
std::string GzipEncoder::flush() { return deflate({}, Z_SYNC_FLUSH); }
std::string GzipEncoder::finish() { return deflate({}, Z_FINISH); }

std::string GzipEncoder::deflate(std::string_view input, int mode) {
  std::string output;
  std::array<char, kPiece> piece;
  stream_->next_in = input_of(input);
  stream_->avail_in = static_cast<uInt>(input.size());
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_->avail_out = static_cast<uInt>(piece.size());
    ::deflate(stream_.get(), mode);
    output.append(piece.data(), piece.size() - stream_->avail_out);
  } while (stream_->avail_out == 0);
  return output;
}

std::string gzip(std::string_view text, int level) {
  GzipEncoder encoder(level);
  std::string bytes = encoder.encode(text);
  return bytes += encoder.finish();
}

GzipDecoder::GzipDecoder(const GunzipLimits& limits)
    : stream_(std::make_unique<z_stream>()), limits_(limits) {
  *stream_ = {};
  const int outcome = inflateInit2(stream_.get(), kGzipWindow);
  CHECK(outcome == Z_OK);
}

GzipDecoder::~GzipDecoder() {
  if (stream_) inflateEnd(stream_.get());
}

GzipDecoder::GzipDecoder(GzipDecoder&&) noexcept = default;

GzipDecoder& GzipDecoder::operator=(GzipDecoder&& other) noexcept {
  std::swap(stream_, other.stream_);
  limits_ = other.limits_;
  bytes_in_ = other.bytes_in_;
  bytes_out_ = other.bytes_out_;
  between_members_ = other.between_members_;
  return *this;
}

Result<std::string> GzipDecoder::decode(std::string_view input) {
  std::string output;
  std::array<char, kPiece> piece;
  stream_->next_in = input_of(input);
  stream_->avail_in = static_cast<uInt>(input.size());
  bool filled = false;  // The last piece was filled, so there may be more without more input.
  while (stream_->avail_in > 0 || filled) {
    if (between_members_ && stream_->avail_in > 0) {
      inflateReset(stream_.get());
      between_members_ = false;
    }
    const std::size_t before = stream_->avail_in;
    stream_->next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_->avail_out = static_cast<uInt>(piece.size());
    const int outcome = inflate(stream_.get(), Z_NO_FLUSH);
    const std::size_t written = piece.size() - stream_->avail_out;
    output.append(piece.data(), written);
    bytes_in_ += before - stream_->avail_in;
    bytes_out_ += written;
    RETURN_IF_ERROR(check_limits());
    filled = stream_->avail_out == 0 && outcome == Z_OK;
    between_members_ = outcome == Z_STREAM_END;
    if (outcome == Z_BUF_ERROR) break;  // Neither input nor output moved: wait for more.
    if (outcome != Z_OK && outcome != Z_STREAM_END) {
      return failure(Code::BadRequest,
                     "gzip: " + std::string(stream_->msg ? stream_->msg : "broken stream") +
                         " near byte " + std::to_string(bytes_in_));
    }
  }
  return output;
}

Status GzipDecoder::check_limits() const {
  if (bytes_out_ > limits_.bytes) {
    return failure(Code::RequestEntityTooLarge, "gzip: the text is larger than the limit of " +
                                                    std::to_string(limits_.bytes) + " bytes");
  }
  if (bytes_out_ > kRatioGrace &&
      bytes_out_ / std::max<std::uint64_t>(bytes_in_, 1) >= limits_.ratio) {
    return failure(Code::RequestEntityTooLarge, "gzip: the text is more than " +
                                                    std::to_string(limits_.ratio) +
                                                    " times as large as its compressed form");
  }
  return {};
}

Status GzipDecoder::finish() const {
  if (between_members_) return {};
  return failure(Code::BadRequest,
                 "gzip: the stream ends too early, after " + std::to_string(bytes_in_) + " bytes");
}

Result<std::string> gunzip(std::string_view bytes, const GunzipLimits& limits) {
  GzipDecoder decoder(limits);
  ASSIGN_OR_RETURN(std::string text, decoder.decode(bytes));
  RETURN_IF_ERROR(decoder.finish());
  return text;
}

}  // namespace berth::http
