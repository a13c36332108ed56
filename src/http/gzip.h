// Streaming gzip with bounds: what a small input may become is limited in size and in ratio.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

struct z_stream_s;

namespace berth::http {

// Whether an Accept-Encoding header admits gzip (RFC 9110, 12.5.3): "gzip", "x-gzip" or "*" with a
// weight above zero.
bool accepts_gzip(std::optional<std::string_view> accept_encoding);

class GzipEncoder {
 public:
  // 1 is fastest, 9 smallest. Kubernetes uses 1: lists shrink tenfold at any level.
  explicit GzipEncoder(int level = 1);
  ~GzipEncoder();
  GzipEncoder(GzipEncoder&&) noexcept;
  GzipEncoder& operator=(GzipEncoder&&) noexcept;

  // The compressed bytes that are ready after `input`; often none.
  std::string encode(std::string_view input);

  // All of what was passed so far becomes readable for the peer: for streams that pause.
  std::string flush();
  std::string finish();  // The last call.

 private:
  std::string deflate(std::string_view input, int mode);

  std::unique_ptr<z_stream_s> stream_;
};

std::string gzip(std::string_view text, int level = 1);

struct GunzipLimits {
  std::uint64_t bytes = 256 * 1024 * 1024;  // Of the decompressed text.
  // Decompressed per compressed byte, once the text is larger than 32 MiB. Lists of like objects
  // reach 100; deflate cannot exceed 1032.
  std::uint64_t ratio = 500;
};

class GzipDecoder {
 public:
  explicit GzipDecoder(const GunzipLimits& limits);
  ~GzipDecoder();
  GzipDecoder(GzipDecoder&&) noexcept;
  GzipDecoder& operator=(GzipDecoder&&) noexcept;

  // What one call returns is bounded by the limits; pass small pieces to get small pieces. Several
  // gzip members in a row are one text. After an error the decoder must not be used again.
  Result<std::string> decode(std::string_view input);

  // Fails when the input ended too early.
  Status finish() const;

 private:
  Status check_limits() const;

  std::unique_ptr<z_stream_s> stream_;
  GunzipLimits limits_;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
  bool between_members_ = false;  // A whole member was read and no byte of another.
};

Result<std::string> gunzip(std::string_view bytes, const GunzipLimits& limits);

}  // namespace berth::http
