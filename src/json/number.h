// What can be said about a JSON number from its text alone, without losing a digit.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace berth::json {

// Whether the whole text follows JSON's grammar of numbers: no "+1", "01", "1.", ".5" or "NaN".
bool is_number(std::string_view text);

// All of the others expect text that follows JSON's grammar of numbers.

// The integer whose canonical text this is; nullopt for "1.0", "1e3", "-0" and what does not fit.
std::optional<std::int64_t> exact_int64(std::string_view text);
std::optional<std::uint64_t> exact_uint64(std::string_view text);

// Correctly rounded; infinity (with its sign) beyond the range of a double, 0 below it.
double to_double(std::string_view text);

// The shortest text that reads back as the same double, as Go's encoding/json prints it:
// plain digits for 1e-6 <= |x| < 1e21, otherwise an exponent.
std::string print_double(double number);

// Whether both texts denote the same number, whatever their form: "1.50" and "15e-1".
bool equal_numbers(std::string_view a, std::string_view b);

}  // namespace berth::json
