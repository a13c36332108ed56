#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "client/discovery.h"
#include "json/parse.h"

// Any document in any role; whatever was taken in can be found again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::client;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = berth::json::parse(text);
  if (!document.ok()) return 0;
  Discovery discovery;
  const bool taken = discovery.add_aggregated(*document).ok() ||
                     discovery.add_legacy_groups(*document).ok() ||
                     discovery.add_legacy_resources(*document).ok();
  if (!taken) CHECK(discovery.resources().empty());
  for (const ResourceInfo& info : discovery.resources()) {
    CHECK(discovery.find(info.gvr) != nullptr);
    CHECK(discovery.find(info.gvk()) != nullptr);
    CHECK(discovery.resolve(info.gvr.resource).ok() || info.gvr.resource.contains('.'));
  }
  return 0;
}
