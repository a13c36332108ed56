// What a plain (unquoted) YAML scalar stands for: the rules of go-yaml v2, and so of kubectl.

#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::json {

enum class YamlType { Null, Boolean, Integer, Float, Timestamp, String };

struct YamlScalar {
  YamlType type = YamlType::String;
  Value value = {};  // Of a null, boolean or integer.
  double real = 0;   // Of a float; may be infinite or not a number.
};

// y, n, yes, no, on, off, true, false (lower, Capital, UPPER) are booleans; the empty text, ~ and
// null are null. Integers may have a base prefix (0x, 0o, 0b), a leading 0 makes them octal, and
// underscores do not count; 08 is no octal number, so it is the float 8. Integers beyond 64 bits
// are floats, floats beyond the range of a double are strings. There are no base-60 numbers.
YamlScalar resolve_plain(std::string_view text);

// The shortest text that reads back as the same number of that width, as Go's %g prints it: with an
// exponent below 1e-4 and from 1e6 on; ".inf", "-.inf" and ".nan" for what has no digits.
enum class FloatWidth { Bits32, Bits64 };
std::string print_yaml_float(double number, FloatWidth width);

}  // namespace berth::json
