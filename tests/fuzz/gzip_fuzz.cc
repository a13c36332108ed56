// Any bytes as a gzip stream, in one piece and in several; and any text there and back.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::http;
  const GunzipLimits limits = {.bytes = 4 * 1024 * 1024};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = gunzip(bytes, limits);
  if (whole.ok()) CHECK(whole->size() <= limits.bytes);
  GzipDecoder decoder(limits);
  std::string text;
  bool fine = true;
  for (std::size_t i = 0; i < bytes.size() && fine; i += 7) {
    const auto piece = decoder.decode(bytes.substr(i, 7));
    fine = piece.ok();
    if (fine) text += *piece;
  }
  fine = fine && decoder.finish().ok();
  if (whole.ok() && fine) CHECK(text == *whole);
  CHECK(gunzip(gzip(bytes), limits).value() == bytes);
  return 0;
}
