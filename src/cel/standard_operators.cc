#include <cmath>
#include <concepts>
#include <cstdint>
#include <utility>

#include "cel/compare.h"
#include "cel/cost.h"
#include "cel/operators.h"
#include "cel/standard.h"
#include "cel/time_arithmetic.h"

namespace berth::cel {
namespace {

using enum TypeKind;

Value int_overflow() { return Value::error("integer overflow"); }
Value uint_overflow() { return Value::error("unsigned integer overflow"); }

// The reference asks strings and times themselves, and they do not tell the operator.
Value unsupported(Call& call, std::string_view function) {
  if (call[0].is(ValueKind::String) || is_time(call[0])) return Context::no_such_overload();
  return call.context.error({"no such overload: ", function});
}

Value concatenate(Call& call, ValueKind kind) {
  const std::string_view a = call[0].text();
  const std::string_view b = call[1].text();
  if (a.empty()) return call[1];
  if (b.empty()) return call[0];
  if (!call.context.charge(a.size() + b.size())) return call.context.cancelled();
  char* bytes = call.context.arena().allocate_array<char>(a.size() + b.size());
  a.copy(bytes, a.size());
  b.copy(bytes + a.size(), b.size());
  const std::string_view whole(bytes, a.size() + b.size());
  return kind == ValueKind::String ? Value::string(whole) : Value::bytes(whole);
}

Value concatenate_lists(Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  const std::size_t size = a.size() + b.size();
  if (!call.context.charge(size * sizeof(Value))) return call.context.cancelled();
  Value* elements = call.context.arena().allocate_array<Value>(size);
  for (std::size_t i = 0; i < a.size(); ++i) std::construct_at(&elements[i], a.element(i));
  for (std::size_t i = 0; i < b.size(); ++i) {
    std::construct_at(&elements[a.size() + i], b.element(i));
  }
  return Value::list({elements, size});
}

Value add(Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (is_time(a)) return add_times(a, b);
  const bool known = a.is(ValueKind::Int) || a.is(ValueKind::Uint) || a.is(ValueKind::Double) ||
                     a.is(ValueKind::String) || a.is(ValueKind::Bytes) || a.is(ValueKind::List);
  if (!known) return unsupported(call, operators::kAdd);
  if (a.kind() != b.kind()) return Context::no_such_overload();
  switch (a.kind()) {
    case ValueKind::Int: {
      std::int64_t sum = 0;
      if (__builtin_add_overflow(a.as_int(), b.as_int(), &sum)) return int_overflow();
      return Value::integer(sum);
    }
    case ValueKind::Uint: {
      std::uint64_t sum = 0;
      if (__builtin_add_overflow(a.as_uint(), b.as_uint(), &sum)) return uint_overflow();
      return Value::unsigned_integer(sum);
    }
    case ValueKind::Double:
      return Value::floating(a.as_double() + b.as_double());
    case ValueKind::List:
      return concatenate_lists(call);
    default:
      return concatenate(call, a.kind());
  }
}

Value subtract(Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (is_time(a)) return subtract_times(a, b);
  const bool known = a.is(ValueKind::Int) || a.is(ValueKind::Uint) || a.is(ValueKind::Double);
  if (!known) return unsupported(call, operators::kSubtract);
  if (a.kind() != b.kind()) return Context::no_such_overload();
  if (a.is(ValueKind::Double)) return Value::floating(a.as_double() - b.as_double());
  if (a.is(ValueKind::Int)) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.as_int(), b.as_int(), &difference)) return int_overflow();
    return Value::integer(difference);
  }
  if (b.as_uint() > a.as_uint()) return uint_overflow();
  return Value::unsigned_integer(a.as_uint() - b.as_uint());
}

Value multiply(Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  const bool known = a.is(ValueKind::Int) || a.is(ValueKind::Uint) || a.is(ValueKind::Double);
  if (!known) return unsupported(call, operators::kMultiply);
  if (a.kind() != b.kind()) return Context::no_such_overload();
  if (a.is(ValueKind::Double)) return Value::floating(a.as_double() * b.as_double());
  if (a.is(ValueKind::Int)) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a.as_int(), b.as_int(), &product)) return int_overflow();
    return Value::integer(product);
  }
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a.as_uint(), b.as_uint(), &product)) return uint_overflow();
  return Value::unsigned_integer(product);
}

Value divide(Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  const bool known = a.is(ValueKind::Int) || a.is(ValueKind::Uint) || a.is(ValueKind::Double);
  if (!known) return unsupported(call, operators::kDivide);
  if (a.kind() != b.kind()) return Context::no_such_overload();
  if (a.is(ValueKind::Double)) {
    // IEEE division, by zero too; a plain '/' would be flagged as undefined there.
    const double divisor = b.as_double();
    if (divisor != 0) return Value::floating(a.as_double() / divisor);
    const double dividend = a.as_double();
    if (dividend == 0 || std::isnan(dividend)) return Value::floating(std::nan(""));
    const bool negative = std::signbit(dividend) != std::signbit(divisor);
    return Value::floating(negative ? -HUGE_VAL : HUGE_VAL);
  }
  if (a.is(ValueKind::Int)) {
    if (b.as_int() == 0) return Value::error("division by zero");
    if (a.as_int() == INT64_MIN && b.as_int() == -1) return int_overflow();
    return Value::integer(a.as_int() / b.as_int());
  }
  if (b.as_uint() == 0) return Value::error("division by zero");
  return Value::unsigned_integer(a.as_uint() / b.as_uint());
}

Value modulo(Call& call) {
  const Value& a = call[0];
  const Value& b = call[1];
  if (!a.is(ValueKind::Int) && !a.is(ValueKind::Uint)) {
    return unsupported(call, operators::kModulo);
  }
  if (a.kind() != b.kind()) return Context::no_such_overload();
  if (a.is(ValueKind::Int)) {
    if (b.as_int() == 0) return Value::error("modulus by zero");
    if (a.as_int() == INT64_MIN && b.as_int() == -1) return int_overflow();
    return Value::integer(a.as_int() % b.as_int());
  }
  if (b.as_uint() == 0) return Value::error("modulus by zero");
  return Value::unsigned_integer(a.as_uint() % b.as_uint());
}

Value negate(Call& call) {
  const Value& a = call[0];
  switch (a.kind()) {
    case ValueKind::Int:
      if (a.as_int() == INT64_MIN) return int_overflow();
      return Value::integer(-a.as_int());
    case ValueKind::Double:
      return Value::floating(-a.as_double());
    case ValueKind::Duration:
      if (a.as_duration() == Duration::min()) return int_overflow();
      return Value::duration(-a.as_duration());
    case ValueKind::Bool:
      return Context::no_such_overload();
    default:
      return unsupported(call, operators::kNegate);
  }
}

Value logical_not(Call& call) {
  if (!call[0].is(ValueKind::Bool)) return Context::no_such_overload();
  return Value::boolean(!call[0].as_bool());
}

Value is_in(Call& call) {
  const Value& container = call[1];
  if (container.is(ValueKind::Map)) {
    if (!call.context.charge(1)) return call.context.cancelled();
    return Value::boolean(container.find(call[0]).has_value());
  }
  if (!container.is(ValueKind::List)) return Context::no_such_overload();
  if (!call.context.charge(container.size())) return call.context.cancelled();
  for (std::size_t i = 0; i < container.size(); ++i) {
    if (equal(call.context, call[0], container.element(i))) return Value::boolean(true);
    if (call.context.is_cancelled()) return call.context.cancelled();
  }
  return Value::boolean(false);
}

Value size_of(Call& call) {
  const Value& value = call[0];
  switch (value.kind()) {
    case ValueKind::String:
      if (!call.context.charge(value.text().size() / 8)) return call.context.cancelled();
      return Value::integer(static_cast<std::int64_t>(utf8_length(value.text())));
    case ValueKind::Bytes:
      return Value::integer(static_cast<std::int64_t>(value.text().size()));
    case ValueKind::List:
    case ValueKind::Map:
      return Value::integer(static_cast<std::int64_t>(value.size()));
    default:
      return unsupported(call, "size");
  }
}

Overload overload(std::string id, std::vector<Type> parameters, Type result,
                  CostFunction cost = nullptr) {
  return {.id = std::move(id),
          .parameters = std::move(parameters),
          .result = std::move(result),
          .cost = cost};
}

Overload member(Overload overload) {
  overload.style = CallStyle::Member;
  return overload;
}

void add_arithmetic(Environment& environment) {
  const Type list = Type::list(Type::variable(0));
  environment.add_function(
      {.name = std::string(operators::kAdd),
       .overloads = {overload("add_bytes", {Bytes, Bytes}, Bytes, cost_of_sum),
                     overload("add_double", {Double, Double}, Double),
                     overload("add_duration_duration", {Duration, Duration}, Duration),
                     overload("add_duration_timestamp", {Duration, Timestamp}, Timestamp),
                     overload("add_timestamp_duration", {Timestamp, Duration}, Timestamp),
                     overload("add_int64", {Int, Int}, Int),
                     overload("add_list", {list, list}, list),
                     overload("add_string", {String, String}, String, cost_of_sum),
                     overload("add_uint64", {Uint, Uint}, Uint)},
       .implementation = add});
  environment.add_function(
      {.name = std::string(operators::kSubtract),
       .overloads = {overload("subtract_double", {Double, Double}, Double),
                     overload("subtract_duration_duration", {Duration, Duration}, Duration),
                     overload("subtract_int64", {Int, Int}, Int),
                     overload("subtract_timestamp_duration", {Timestamp, Duration}, Timestamp),
                     overload("subtract_timestamp_timestamp", {Timestamp, Timestamp}, Duration),
                     overload("subtract_uint64", {Uint, Uint}, Uint)},
       .implementation = subtract});
  const std::pair<std::string_view, Implementation> products[] = {{operators::kMultiply, multiply},
                                                                  {operators::kDivide, divide}};
  for (const auto& [name, implementation] : products) {
    environment.add_function(
        {.name = std::string(name),
         .overloads = {overload("double", {Double, Double}, Double),
                       overload("int64", {Int, Int}, Int), overload("uint64", {Uint, Uint}, Uint)},
         .implementation = implementation});
  }
  environment.add_function({.name = std::string(operators::kModulo),
                            .overloads = {overload("modulo_int64", {Int, Int}, Int),
                                          overload("modulo_uint64", {Uint, Uint}, Uint)},
                            .implementation = modulo});
  environment.add_function({.name = std::string(operators::kNegate),
                            .overloads = {overload("negate_double", {Double}, Double),
                                          overload("negate_int64", {Int}, Int)},
                            .implementation = negate});
}

}  // namespace

void add_operators(Environment& environment) {
  const Type a = Type::variable(0);
  const Type b = Type::variable(1);
  const Type list = Type::list(a);
  const Type map = Type::map(a, b);
  add_arithmetic(environment);
  // The evaluator knows these itself; the table is for the checker.
  for (const std::string_view name : {operators::kLogicalAnd, operators::kLogicalOr}) {
    environment.add_function(
        {.name = std::string(name), .overloads = {overload("logical", {Bool, Bool}, Bool)}});
  }
  environment.add_function({.name = std::string(operators::kConditional),
                            .overloads = {overload("conditional", {Bool, a, a}, a)}});
  environment.add_function(
      {.name = std::string(operators::kEquals), .overloads = {overload("equals", {a, a}, Bool)}});
  environment.add_function({.name = std::string(operators::kNotEquals),
                            .overloads = {overload("not_equals", {a, a}, Bool)}});
  environment.add_function({.name = std::string(operators::kNotStrictlyFalse),
                            .overloads = {overload("not_strictly_false", {Bool}, Bool)}});
  environment.add_function(
      {.name = std::string(operators::kIndex),
       .overloads = {overload("index_list", {list, Int}, a), overload("index_map", {map, a}, b)}});

  environment.add_function({.name = std::string(operators::kLogicalNot),
                            .overloads = {overload("logical_not", {Bool}, Bool)},
                            .implementation = logical_not});
  environment.add_function({.name = std::string(operators::kIn),
                            .overloads = {overload("in_list", {a, list}, Bool, cost_of_membership),
                                          overload("in_map", {a, map}, Bool)},
                            .implementation = is_in});
  Function size = {.name = "size", .overloads = {}, .implementation = size_of};
  for (const Type& sized : {Type(Bytes), list, map, Type(String)}) {
    const std::string id = "size_" + std::string(sized.runtime_name());
    size.overloads.push_back(overload(id, {sized}, Int));
    size.overloads.push_back(member(overload(id + "_inst", {sized}, Int)));
  }
  environment.add_function(std::move(size));
}

}  // namespace berth::cel
