#include <string>

#include "api/expressions/libraries.h"
#include "api/expressions/library_table.h"
#include "cel/compare.h"
#include "cel/time_arithmetic.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::Context;
using cel::Type;
using cel::TypeKind;
using cel::Value;
using cel::ValueKind;

constexpr TypeKind kSummable[] = {TypeKind::Int, TypeKind::Uint, TypeKind::Double,
                                  TypeKind::Duration};
constexpr TypeKind kComparable[] = {TypeKind::Int,    TypeKind::Uint,     TypeKind::Double,
                                    TypeKind::Bool,   TypeKind::Duration, TypeKind::Timestamp,
                                    TypeKind::String, TypeKind::Bytes};

// Above 0 when a > b; values without an order are never above each other.
bool above(const Value& a, const Value& b) {
  const Value order = cel::compare(a, b);
  return !order.is_error() && order.as_int() > 0;
}

Value is_sorted(Call& call) {
  const Value& list = call[0];
  if (!call.context.charge(list.size())) return call.context.cancelled();
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (above(list.element(i - 1), list.element(i))) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value add(const Value& a, const Value& b) {
  if (cel::is_time(a)) return cel::add_times(a, b);
  if (a.kind() != b.kind()) return Context::no_such_overload();
  if (a.is(ValueKind::Double)) return Value::floating(a.as_double() + b.as_double());
  if (a.is(ValueKind::Int)) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.as_int(), b.as_int(), &sum)) {
      return Value::error("integer overflow");
    }
    return Value::integer(sum);
  }
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a.as_uint(), b.as_uint(), &sum)) {
    return Value::error("unsigned integer overflow");
  }
  return Value::unsigned_integer(sum);
}

Value zero_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::Uint:
      return Value::unsigned_integer(0);
    case TypeKind::Double:
      return Value::floating(0);
    case TypeKind::Duration:
      return Value::duration(Duration(0));
    default:
      return Value::integer(0);
  }
}

template <TypeKind kind>
Value sum(Call& call) {
  const Value& list = call[0];
  if (!call.context.charge(list.size())) return call.context.cancelled();
  Value total = zero_of(kind);
  for (std::size_t i = 0; i < list.size() && !total.is_error(); ++i) {
    total = add(total, list.element(i));
  }
  return total;
}

Value min(Call& call) {
  const Value& list = call[0];
  if (list.size() == 0) return Value::error("min called on empty list");
  if (!call.context.charge(list.size())) return call.context.cancelled();
  Value least = list.element(0);
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (above(least, list.element(i))) least = list.element(i);
  }
  return least;
}

Value max(Call& call) {
  const Value& list = call[0];
  if (list.size() == 0) return Value::error("max called on empty list");
  if (!call.context.charge(list.size())) return call.context.cancelled();
  Value greatest = list.element(0);
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (above(list.element(i), greatest)) greatest = list.element(i);
  }
  return greatest;
}

Value index_of(Call& call) {
  const Value& list = call[0];
  if (!call.context.charge(list.size())) return call.context.cancelled();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (cel::equal(call.context, list.element(i), call[1])) {
      return Value::integer(static_cast<std::int64_t>(i));
    }
  }
  return Value::integer(-1);
}

Value last_index_of(Call& call) {
  const Value& list = call[0];
  if (!call.context.charge(list.size())) return call.context.cancelled();
  for (std::size_t i = list.size(); i > 0; --i) {
    if (cel::equal(call.context, list.element(i - 1), call[1])) {
      return Value::integer(static_cast<std::int64_t>(i - 1));
    }
  }
  return Value::integer(-1);
}

cel::Implementation sum_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::Uint:
      return sum<TypeKind::Uint>;
    case TypeKind::Double:
      return sum<TypeKind::Double>;
    case TypeKind::Duration:
      return sum<TypeKind::Duration>;
    default:
      return sum<TypeKind::Int>;
  }
}

}  // namespace

void add_lists_library(cel::Environment& environment) {
  constexpr auto kMember = cel::CallStyle::Member;
  std::vector<LibraryEntry> entries;
  for (const TypeKind kind : kComparable) {
    const std::string name(cel::runtime_name(kind));
    const Type list = Type::list(kind);
    entries.push_back({"isSorted",
                       "list_" + name + "_is_sorted_bool",
                       kMember,
                       {list},
                       TypeKind::Bool,
                       is_sorted});
    entries.push_back({"max", "list_" + name + "_max_" + name, kMember, {list}, kind, max});
    entries.push_back({"min", "list_" + name + "_min_" + name, kMember, {list}, kind, min});
  }
  for (const TypeKind kind : kSummable) {
    const std::string name(cel::runtime_name(kind));
    entries.push_back(
        {"sum", "list_" + name + "_sum_" + name, kMember, {Type::list(kind)}, kind, sum_of(kind)});
  }
  const Type any = Type::variable(0);
  entries.push_back(
      {"indexOf", "list_a_index_of_int", kMember, {Type::list(any), any}, TypeKind::Int, index_of});
  entries.push_back({"lastIndexOf",
                     "list_a_last_index_of_int",
                     kMember,
                     {Type::list(any), any},
                     TypeKind::Int,
                     last_index_of});
  add_entries(environment, std::move(entries));
}

}  // namespace berth::api
