// The grammar of quantities: cuts "-1.5Gi" into sign, digits and suffix. Quantity gives it meaning.

#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace berth::api {

// The views point into the scanned text, or at a constant.
struct QuantityText {
  enum class Family : std::uint8_t { Decimal, Binary, Exponent };

  bool negative = false;
  bool has_digits = false;    // "k" and "." are readable quantities of 0 without a digit.
  std::string_view whole;     // Without leading zeros, but never empty.
  std::string_view fraction;  // As written, maybe empty.
  Family family = Family::Decimal;
  int exponent = 0;  // The suffix as a power of ten, or of two for Family::Binary.
};

// Errors have Kubernetes' texts. Refuses exponents beyond +-exponent_max.
Result<QuantityText> scan_quantity(std::string_view text, int exponent_max);

}  // namespace berth::api
