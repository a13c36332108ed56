// The checks of single values that validate.h walks over.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/schema/constraints.h"
#include "apiserver/schema/schema.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// What is wrong, once somebody wants to know: from the field of the error and the name of the
// place in its message.
struct Violation {
  std::function<Cause(std::string_view field, std::string_view name)> explain;
};

using Check = std::optional<Violation>;  // Nothing: fine.

// "integer", "integer,string" and so on; empty for Any.
std::string_view type_name(Form form);

// "integer" for whole numbers that were written as such, "number" for others.
std::string_view type_name(const json::Value& value);

// What the value is taken as: built-in types have Go's rules.
enum class Origin : std::uint8_t { Custom, BuiltIn };

Check check_form(const Schema& schema, const json::Value& value, Origin origin);
Check check_allowed(const Constraints& constraints, const json::Value& value);
Check check_text(const Constraints& constraints, std::string_view text);  // Lengths and pattern.
Check check_text_format(const Schema& schema, Format format, std::string_view text);
Check check_multiple(const Constraints& constraints, const json::Value& number);
Check check_minimum(const Constraints& constraints, const json::Value& number);
Check check_maximum(const Constraints& constraints, const json::Value& number);
Check check_items_min(const Constraints& constraints, std::size_t count);
Check check_items_max(const Constraints& constraints, std::size_t count);
Check check_properties_min(const Constraints& constraints, std::size_t count);
Check check_properties_max(const Constraints& constraints, std::size_t count);

}  // namespace berth::apiserver
