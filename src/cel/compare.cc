#include "cel/compare.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace berth::cel {
namespace {

template <typename T>
int order(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compare_double_int(double a, std::int64_t b) {
  if (a < -9223372036854775808.0) return -1;
  if (a > 9223372036854775808.0) return 1;
  return order(a, static_cast<double>(b));
}

int compare_double_uint(double a, std::uint64_t b) {
  if (a < 0) return -1;
  if (a > 18446744073709551616.0) return 1;
  return order(a, static_cast<double>(b));
}

int compare_int_uint(std::int64_t a, std::uint64_t b) {
  if (a < 0 || b > std::numeric_limits<std::int64_t>::max()) return -1;
  return order(a, static_cast<std::int64_t>(b));
}

bool is_number(const Value& value) {
  return value.is(ValueKind::Int) || value.is(ValueKind::Uint) || value.is(ValueKind::Double);
}

bool is_nan(const Value& value) {
  return value.is(ValueKind::Double) && std::isnan(value.as_double());
}

// Both must be numbers, neither NaN.
int compare_numbers(const Value& a, const Value& b) {
  if (a.kind() > b.kind()) return -compare_numbers(b, a);  // Int < Uint < Double.
  if (a.is(ValueKind::Double)) return order(a.as_double(), b.as_double());
  if (a.is(ValueKind::Int)) {
    if (b.is(ValueKind::Int)) return order(a.as_int(), b.as_int());
    if (b.is(ValueKind::Uint)) return compare_int_uint(a.as_int(), b.as_uint());
    return -compare_double_int(b.as_double(), a.as_int());
  }
  if (b.is(ValueKind::Uint)) return order(a.as_uint(), b.as_uint());
  return -compare_double_uint(b.as_double(), a.as_uint());
}

bool equal_lists(Context& context, const Value& a, const Value& b) {
  if (a.size() != b.size() || !context.charge(a.size())) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(context, a.element(i), b.element(i))) return false;
  }
  return true;
}

bool equal_maps(Context& context, const Value& a, const Value& b) {
  if (a.size() != b.size() || !context.charge(a.size())) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const MapEntry entry = a.entry(i);
    const auto other = b.find(entry.key);
    if (!other || !equal(context, entry.value, *other)) return false;
  }
  return true;
}

}  // namespace

bool equal(Context& context, const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) {
    return !is_nan(a) && !is_nan(b) && compare_numbers(a, b) == 0;
  }
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case ValueKind::List:
      return equal_lists(context, a, b);
    case ValueKind::Map:
      return equal_maps(context, a, b);
    case ValueKind::Optional:
      if (a.has_value() != b.has_value()) return false;
      return !a.has_value() || equal(context, a.inner(), b.inner());
    case ValueKind::Opaque:
      return a.type_name() == b.type_name() && a.as_opaque().equals(b.as_opaque());
    case ValueKind::String:
    case ValueKind::Bytes:
      return a.text().size() == b.text().size() && context.charge(a.text().size()) &&
             a.text() == b.text();
    default:
      return same_key(a, b);
  }
}

Value compare(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) {
    if (is_nan(a) || is_nan(b)) return Value::error("NaN values cannot be ordered");
    return Value::integer(compare_numbers(a, b));
  }
  if (a.kind() != b.kind()) return Context::no_such_overload();
  switch (a.kind()) {
    case ValueKind::Bool:
      return Value::integer(order(a.as_bool(), b.as_bool()));
    case ValueKind::String:
    case ValueKind::Bytes:
      return Value::integer(order(a.text(), b.text()));
    case ValueKind::Timestamp:
      return Value::integer(order(a.as_timestamp(), b.as_timestamp()));
    case ValueKind::Duration:
      return Value::integer(order(a.as_duration(), b.as_duration()));
    default:
      return Context::no_such_overload();
  }
}

}  // namespace berth::cel
