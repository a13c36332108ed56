#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/label_selector.h"
#include "base/check.h"

using berth::api::Labels;
using berth::api::LabelSelector;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto selector = LabelSelector::parse(text);
  if (!selector.ok()) return 0;
  const auto again = LabelSelector::parse(selector->to_string());
  CHECK(again.value() == *selector);
  const auto labels = berth::json::Value::object({{"a", "b"}, {"n", "5"}});
  CHECK(again->matches(Labels(labels)) == selector->matches(Labels(labels)));
  return 0;
}
