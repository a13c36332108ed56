#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/rfc3339.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto time = berth::parse_rfc3339(text);
  if (time.ok()) CHECK(berth::parse_rfc3339(berth::format_nanos(*time)).value() == *time);
  return 0;
}
