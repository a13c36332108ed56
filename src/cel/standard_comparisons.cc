#include <string>
#include <utility>

#include "cel/compare.h"
#include "cel/cost.h"
#include "cel/operators.h"
#include "cel/standard.h"

namespace berth::cel {
namespace {

using enum TypeKind;

template <typename Accepts>
Value ordered(Call& call, std::string_view function, Accepts accepts) {
  switch (call[0].kind()) {
    case ValueKind::Null:
    case ValueKind::List:
    case ValueKind::Map:
    case ValueKind::Type:
    case ValueKind::Optional:
    case ValueKind::Opaque:
      return call.context.error({"no such overload: ", function});
    default:
      break;
  }
  if (call[0].is(ValueKind::String) && !call.context.charge(call[0].text().size() / 8)) {
    return call.context.cancelled();
  }
  const Value order = compare(call[0], call[1]);
  return order.is_error() ? order : Value::boolean(accepts(order.as_int()));
}

Value less(Call& call) {
  return ordered(call, operators::kLess, [](auto order) { return order < 0; });
}
Value less_equals(Call& call) {
  return ordered(call, operators::kLessEquals, [](auto order) { return order <= 0; });
}
Value greater(Call& call) {
  return ordered(call, operators::kGreater, [](auto order) { return order > 0; });
}
Value greater_equals(Call& call) {
  return ordered(call, operators::kGreaterEquals, [](auto order) { return order >= 0; });
}

Function comparison(std::string_view name, Implementation implementation) {
  Function function = {
      .name = std::string(name), .overloads = {}, .implementation = implementation};
  const auto add = [&](TypeKind left, TypeKind right) {
    const bool is_text = left == String || left == Bytes;
    function.overloads.push_back(
        {.id = std::string(runtime_name(left)) + "_" + std::string(runtime_name(right)),
         .parameters = {left, right},
         .result = Bool,
         .cost = is_text ? cost_of_shorter : nullptr,
         .is_cross_type = left != right});
  };
  for (const TypeKind kind : {Bool, String, Bytes, Timestamp, Duration}) add(kind, kind);
  for (const TypeKind left : {Int, Uint, Double}) {
    for (const TypeKind right : {Int, Uint, Double}) add(left, right);
  }
  return function;
}

}  // namespace

void add_comparisons(Environment& environment) {
  environment.add_function(comparison(operators::kLess, less));
  environment.add_function(comparison(operators::kLessEquals, less_equals));
  environment.add_function(comparison(operators::kGreater, greater));
  environment.add_function(comparison(operators::kGreaterEquals, greater_equals));
}

}  // namespace berth::cel
