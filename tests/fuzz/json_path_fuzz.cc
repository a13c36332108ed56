// The first line is a JSON path, the second a document.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/json_path.h"
#include "base/check.h"
#include "json/parse.h"

using berth::api::JsonPath;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = text.find('\n');
  const auto path = JsonPath::parse(text.substr(0, middle));
  if (!path.ok()) {
    CHECK(!path.error().message.empty());
    return 0;
  }
  if (middle == std::string_view::npos) return 0;
  const auto document = berth::json::parse(text.substr(middle + 1));
  if (!document.ok()) return 0;
  for (const auto* found : path->find(*document)) CHECK(found != nullptr);
  return 0;
}
