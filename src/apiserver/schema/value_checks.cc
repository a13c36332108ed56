#include "apiserver/schema/value_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/schema/field_errors.h"
#include "base/strings.h"
#include "cel/cost.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

// Beyond this, not every whole number is a double.
constexpr double kExactMax = 9007199254740991.0;

bool is_exact(double number) {
  return std::trunc(number) == number && std::abs(number) <= kExactMax;
}

// An error that shows the value and says "PLACE in body should ...".
Violation should(Value value, std::string rule) {
  return {[value = std::move(value), rule = std::move(rule)](std::string_view field,
                                                             std::string_view name) {
    return invalid(field, value, fmt::format("{} in body {}", name, rule));
  }};
}

Violation wrong_type(std::string_view wanted, std::string_view found) {
  return {[wanted = std::string(wanted), found = std::string(found)](std::string_view field,
                                                                     std::string_view name) {
    return type_invalid(
        field, Value(found),
        fmt::format("{} in body must be of type {}: {}", name, wanted, quote(found)));
  }};
}

bool is_whole(const Value& number) { return number.as_int() || is_exact(*number.as_double()); }

bool fits_built_in(const Schema& schema, const Value& value) {
  if (value.is_null()) return true;
  if (schema.form != Form::Integer) return false;
  const auto number = value.as_int();
  if (!number) return false;
  return schema.format != "int32" || std::in_range<std::int32_t>(*number);
}

bool fits(Form form, const Value& value) {
  switch (form) {
    case Form::Any:
      return true;
    case Form::Object:
      return value.is_object();
    case Form::Array:
      return value.is_array();
    case Form::String:
      return value.is_string();
    case Form::Boolean:
      return value.is_boolean();
    case Form::Number:
      return value.is_number();
    case Form::Integer:
      return value.is_number() && is_whole(value);
    case Form::IntOrString:
      return value.is_string() || (value.is_number() && is_whole(value));
  }
  return false;
}

std::string_view format_of_number(const Value& value) {
  if (!value.is_number()) return "";
  return value.as_int() ? "int64" : "float64";
}

// Whole numbers are compared as such: a double would round large ones. The reference does so too,
// but cuts off what bounds have after the point; here 1 is less than 1.5.
std::partial_ordering compare(const Value& number, double bound) {
  if (const auto whole = number.as_int(); whole && is_exact(bound)) {
    return *whole <=> static_cast<std::int64_t>(bound);
  }
  return *number.as_double() <=> bound;
}

std::string shown_bound(const Value& number, double bound) {
  if (!number.as_int() || !is_exact(bound)) return shown(bound);
  return std::to_string(static_cast<std::int64_t>(bound));
}

bool is_multiple(const Value& number, double factor) {
  if (factor <= 0) return false;
  if (const auto whole = number.as_int(); whole && is_exact(factor)) {
    return *whole % static_cast<std::int64_t>(factor) == 0;
  }
  const double value = *number.as_double();
  return is_exact(factor < 1 ? 1 / factor * value : value / factor);
}

}  // namespace

std::string_view type_name(Form form) {
  switch (form) {
    case Form::Any:
      return "";
    case Form::Object:
      return "object";
    case Form::Array:
      return "array";
    case Form::String:
      return "string";
    case Form::Integer:
      return "integer";
    case Form::Number:
      return "number";
    case Form::Boolean:
      return "boolean";
    case Form::IntOrString:
      return "integer,string";
  }
  return "";
}

std::string_view type_name(const Value& value) {
  if (value.is_number()) return value.as_int() ? "integer" : "number";
  return json::kind_name(value.kind());
}

Check check_form(const Schema& schema, const Value& value, Origin origin) {
  if (schema.form == Form::Any) return {};
  if (origin == Origin::BuiltIn) {
    if (value.is_null() || (schema.form == Form::Integer && fits_built_in(schema, value)))
      return {};
    if (schema.form != Form::Integer && fits(schema.form, value)) return {};
    return wrong_type(type_name(schema.form), type_name(value));
  }
  if (value.is_null()) {
    if (schema.is_nullable) return {};
    return wrong_type(type_name(schema.form), "null");
  }
  if (fits(schema.form, value)) return {};
  // Numbers, booleans and objects in place of a string are told about the string's format.
  const bool has_format = schema.constraints && schema.constraints->format != Format::None;
  if (has_format && schema.form == Form::String && !value.is_array()) {
    return wrong_type(schema.format, format_of_number(value));
  }
  return wrong_type(type_name(schema.form), type_name(value));
}

Check check_allowed(const Constraints& constraints, const Value& value) {
  if (constraints.allowed.empty()) return {};
  if (std::ranges::find(constraints.allowed, value) != constraints.allowed.end()) return {};
  return Violation{[&constraints, value](std::string_view field, std::string_view) {
    std::vector<std::string> supported;
    for (const Value& it : constraints.allowed) {
      supported.push_back(it.is_string() ? std::string(*it.as_string()) : json::print(it));
    }
    return not_supported(field, value, supported);
  }};
}

Check check_text(const Constraints& constraints, std::string_view text) {
  if (constraints.length_max || constraints.length_min) {
    const auto length = static_cast<std::int64_t>(cel::utf8_length(text));
    if (constraints.length_max && length > *constraints.length_max) {
      return Violation{[most = *constraints.length_max](std::string_view field, std::string_view) {
        return too_long(field, most);
      }};
    }
    if (constraints.length_min && length < *constraints.length_min) {
      return should(text, fmt::format("should be at least {} chars long", *constraints.length_min));
    }
  }
  if (constraints.pattern && !re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()),
                                                     constraints.pattern->compiled)) {
    return should(text, fmt::format("should match '{}'", constraints.pattern->text));
  }
  return {};
}

Check check_text_format(const Schema& schema, Format format, std::string_view text) {
  if (format == Format::None || has_format(text, format)) return {};
  return wrong_type(schema.format, text);
}

Check check_multiple(const Constraints& constraints, const Value& number) {
  if (!constraints.multiple_of || is_multiple(number, *constraints.multiple_of)) return {};
  return should(number, fmt::format("should be a multiple of {}",
                                    shown_bound(number, *constraints.multiple_of)));
}

Check check_minimum(const Constraints& constraints, const Value& number) {
  if (!constraints.minimum) return {};
  const auto& [bound, is_exclusive] = *constraints.minimum;
  const auto order = compare(number, bound);
  if (order > 0 || (order == 0 && !is_exclusive)) return {};
  return should(number,
                fmt::format("should be greater than {}{}", is_exclusive ? "" : "or equal to ",
                            shown_bound(number, bound)));
}

Check check_maximum(const Constraints& constraints, const Value& number) {
  if (!constraints.maximum) return {};
  const auto& [bound, is_exclusive] = *constraints.maximum;
  const auto order = compare(number, bound);
  if (order < 0 || (order == 0 && !is_exclusive)) return {};
  return should(number, fmt::format("should be less than {}{}", is_exclusive ? "" : "or equal to ",
                                    shown_bound(number, bound)));
}

Check check_items_min(const Constraints& constraints, std::size_t count) {
  if (!constraints.items_min || !std::cmp_less(count, *constraints.items_min)) return {};
  return should(Value(count), fmt::format("should have at least {} items", *constraints.items_min));
}

Check check_items_max(const Constraints& constraints, std::size_t count) {
  if (!constraints.items_max || !std::cmp_greater(count, *constraints.items_max)) return {};
  return Violation{
      [count, most = *constraints.items_max](std::string_view field, std::string_view) {
        return too_many(field, static_cast<std::int64_t>(count), most);
      }};
}

Check check_properties_min(const Constraints& constraints, std::size_t count) {
  if (!constraints.properties_min || !std::cmp_less(count, *constraints.properties_min)) return {};
  return should(Value(count),
                fmt::format("should have at least {} properties", *constraints.properties_min));
}

Check check_properties_max(const Constraints& constraints, std::size_t count) {
  if (!constraints.properties_max || !std::cmp_greater(count, *constraints.properties_max)) {
    return {};
  }
  return Violation{
      [count, most = *constraints.properties_max](std::string_view field, std::string_view) {
        return too_many(field, static_cast<std::int64_t>(count), most);
      }};
}

}  // namespace berth::apiserver
