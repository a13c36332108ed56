// Doubles from text, as Go's strconv reads them.

#pragma once

#include <optional>
#include <string_view>

namespace berth::cel {

// Decimal notation, "inf", "infinity" and "nan" in any case; nullopt for the rest and for numbers
// beyond the range.
std::optional<double> parse_double(std::string_view text);

}  // namespace berth::cel
