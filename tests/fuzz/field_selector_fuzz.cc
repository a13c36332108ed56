#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/field_selector.h"
#include "base/check.h"

using berth::api::FieldSelector;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto selector = FieldSelector::parse(text);
  if (!selector.ok()) return 0;
  // Terms are sorted by their text, which changes when "==" becomes "=": compare from there on.
  const auto canonical = FieldSelector::parse(selector->to_string()).value();
  CHECK(FieldSelector::parse(canonical.to_string()).value() == canonical);
  CHECK(canonical.requirements().size() == selector->requirements().size());
  return 0;
}
