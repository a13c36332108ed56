// Value to YAML, as kubectl -o yaml prints it.

#pragma once

#include <string>

#include "json/value.h"

namespace berth::json {

// One document that ends with a newline. Members are sorted as kubectl sorts them (digits inside a
// name count as a number: a2 before a10), lists are not indented below their key, strings are
// quoted only where they would mean something else, those with line breaks are | blocks, long ones
// are folded at blanks from column 80 on. Numbers are printed as YAML reads them: 1.50 as 1.5.
// Bytes that are not UTF-8 come out as U+FFFD.
std::string print_yaml(const Value& value);

// Whether kubectl prints the member `a` before `b`.
bool yaml_name_less(std::string_view a, std::string_view b);

}  // namespace berth::json
