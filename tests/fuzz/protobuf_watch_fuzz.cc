#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "client/protobuf/watch_stream.h"
#include "json/parse.h"
#include "json/print.h"

namespace {

using berth::client::Projection;
namespace protobuf = berth::client::protobuf;

struct Outcome {
  std::vector<std::string> events;
  bool failed = false;

  bool operator==(const Outcome&) const = default;
};

Outcome decode(const std::shared_ptr<const protobuf::DecodingPlan>& plan, std::string_view stream,
               std::size_t piece) {
  protobuf::WatchStream decoder(plan, 8192);
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

// The first byte says how large the pieces are and what is kept. Where the stream is cut must not
// matter, and what comes out must be JSON with names that differ.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kWhole =
      protobuf::DecodingPlan::of({.version = "v1", .resource = "pods"}, Projection::everything());
  static const auto kPart =
      protobuf::DecodingPlan::of({.version = "v1", .resource = "pods"},
                                 Projection::only({"metadata.labels", "spec.containers[].resources",
                                                   "spec.volumes[].persistentVolumeClaim"}));
  if (size < 1) return 0;
  const auto& plan = data[0] >= 128 ? kWhole : kPart;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Outcome whole = decode(plan, stream, stream.size() + 1);
  const Outcome pieces = decode(plan, stream, std::size_t{data[0]} % 64 + 1);
  CHECK(whole == pieces);
  for (const std::string& event : whole.events) {
    const auto back = berth::json::parse_document(event);
    CHECK(back.ok() && back->duplicate_fields.empty());
  }
  return 0;
}
