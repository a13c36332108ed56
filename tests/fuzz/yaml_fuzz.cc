#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "json/depth.h"
#include "json/yaml_print.h"
#include "json/yaml_read.h"

using berth::json::kDepthMax;
using berth::json::Value;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto any = berth::json::read_yaml(text); !any.ok()) {
    CHECK(any.error().message.starts_with("document "));
  }
  // Behind the mark it is YAML even if it looks like JSON, whose numbers YAML cannot all print.
  const auto documents = berth::json::read_yaml("---\n" + text);
  if (!documents.ok()) return 0;
  for (const Value& document : *documents) {
    CHECK(berth::json::depth_of(document) <= kDepthMax);
    if (berth::json::depth_of(document) > 500) continue;  // libyaml reads less deep than we print.
    const std::string printed = "---\n" + berth::json::print_yaml(document);
    CHECK(berth::json::read_one_yaml(printed).value() == document);
  }
  return 0;
}
