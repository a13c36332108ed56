#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "client/watch_decoder.h"
#include "json/print.h"

namespace {

using berth::client::WatchDecoder;

struct Outcome {
  std::vector<std::string> events;
  bool failed = false;

  bool operator==(const Outcome&) const = default;
};

Outcome decode(std::string_view stream, std::size_t piece) {
  WatchDecoder decoder(4096);
  Outcome outcome;
  while (!stream.empty() && !outcome.failed) {
    const auto decoded = decoder.feed(stream.substr(0, piece));
    for (const auto& event : decoded.events) {
      outcome.events.push_back(berth::json::print(event.object));
    }
    outcome.failed = decoded.failure.has_value();
    stream.remove_prefix(std::min(piece, stream.size()));
  }
  return outcome;
}

}  // namespace

// The first byte says how large the pieces are; where they are cut must not matter.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Outcome whole = decode(stream, stream.size() + 1);
  const Outcome pieces = decode(stream, std::size_t{data[0]} % 64 + 1);
  CHECK(whole == pieces);
  return 0;
}
