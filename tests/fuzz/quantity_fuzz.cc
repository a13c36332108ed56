#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/quantity.h"
#include "base/check.h"

using berth::api::Quantity;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto first = Quantity::parse(text.substr(0, size / 2));
  const auto second = Quantity::parse(text.substr(size / 2));
  const auto whole = Quantity::parse(text);
  if (whole.ok() && size + 4 <= Quantity::kTextMax) {
    CHECK(Quantity::parse(whole->to_string()).value() == *whole);
    CHECK(Quantity::parse(Quantity::rewrite(text).value()).value() == *whole);
  }
  if (first.ok() && second.ok()) {
    CHECK(*first - *second + *second == *first);
    CHECK((*first <=> *second) == ((*first - *second).sign() <=> 0));
  }
  return 0;
}
