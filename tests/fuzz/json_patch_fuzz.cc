// The first line is the document, the second the patch.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "json/depth.h"
#include "json/json_patch.h"
#include "json/parse.h"
#include "json/print.h"

using berth::json::Value;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = text.find('\n');
  if (middle == std::string_view::npos) return 0;
  const auto document = berth::json::parse(text.substr(0, middle));
  const auto patch = berth::json::parse(text.substr(middle + 1));
  if (!document.ok() || !patch.ok()) return 0;

  const auto result = berth::json::apply_json_patch(*document, *patch);
  if (!result.ok()) {
    CHECK(!result.error().message.empty());
    return 0;
  }
  CHECK(berth::json::depth_of(*result) <= berth::json::kDepthMax);
  CHECK(berth::json::parse(berth::json::print(*result)).value() == *result);

  // What came out is what a test of the whole document expects.
  Value tested = *patch;
  if (tested.size() == berth::json::JsonPatchLimits().operations_max) return 0;
  tested.push_back(Value::object({{"op", "test"}, {"path", ""}, {"value", *result}}));
  CHECK(berth::json::apply_json_patch(*document, tested).value() == *result);
  return 0;
}
