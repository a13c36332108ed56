#include "cel/qualify.h"

#include <cmath>
#include <limits>
#include <optional>

#include "cel/display.h"

namespace berth::cel {
namespace {

using State = Qualified::State;

// The index as a whole number; nullopt when the value is no such number.
std::optional<std::int64_t> index_of(const Value& key) {
  switch (key.kind()) {
    case ValueKind::Int:
      return key.as_int();
    case ValueKind::Uint:
      if (key.as_uint() > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
      return static_cast<std::int64_t>(key.as_uint());
    case ValueKind::Double: {
      const double number = key.as_double();
      if (std::trunc(number) != number || std::abs(number) >= 9223372036854775808.0) {
        return std::nullopt;
      }
      return static_cast<std::int64_t>(number);
    }
    default:
      return std::nullopt;
  }
}

Qualified qualify_list(Context& context, const Value& list, const Value& key) {
  const auto index = index_of(key);
  if (!index) {
    const bool is_number = key.is(ValueKind::Double) || key.is(ValueKind::Uint);
    return Qualified::failed(
        is_number ? context.error({"unsupported index value ", display_key(key), " in list"})
                  : context.error({"unsupported index type '", key.type_name(), "' in list"}));
  }
  if (*index < 0 || static_cast<std::uint64_t>(*index) >= list.size()) return {};
  return {.state = State::Found, .value = list.element(static_cast<std::size_t>(*index))};
}

}  // namespace

Qualified qualify(Context& context, const Value& operand, const Value& key) {
  switch (key.kind()) {
    case ValueKind::String:
    case ValueKind::Int:
    case ValueKind::Uint:
    case ValueKind::Bool:
    case ValueKind::Double:
      break;
    default:
      return Qualified::failed(context.error({"invalid qualifier type: ", key.type_name()}));
  }
  if (operand.is(ValueKind::Map)) {
    if (!context.charge(1)) return Qualified::failed(context.cancelled());
    const auto found = operand.find(key);
    if (!found) return {};
    return {.state = State::Found, .value = *found};
  }
  if (operand.is(ValueKind::List)) return qualify_list(context, operand, key);
  if (operand.is_error()) return Qualified::failed(operand);
  return {};  // Nothing else has parts.
}

Value missing(Context& context, const Value& operand, const Value& key) {
  const bool is_list = operand.is(ValueKind::List);
  return context.error({is_list ? "index out of bounds: " : "no such key: ", display_key(key)});
}

std::string display_key(const Value& key) {
  return key.is(ValueKind::String) ? std::string(key.text()) : display(key);
}

}  // namespace berth::cel
