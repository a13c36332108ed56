#include "cel/ext_optional.h"

#include <string>
#include <utility>
#include <vector>

#include "cel/macro.h"
#include "cel/operators.h"

namespace berth::cel {
namespace {

Value of(Call& call) { return call.context.some(call[0]); }

bool is_zero(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return true;
    case ValueKind::Bool:
      return !value.as_bool();
    case ValueKind::Int:
      return value.as_int() == 0;
    case ValueKind::Uint:
      return value.as_uint() == 0;
    case ValueKind::Double:
      return value.as_double() == 0;
    case ValueKind::String:
    case ValueKind::Bytes:
      return value.text().empty();
    case ValueKind::List:
    case ValueKind::Map:
      return value.size() == 0;
    case ValueKind::Duration:
      return value.as_duration() == Duration(0);
    case ValueKind::Timestamp:
      return value.as_timestamp() == Time::min();  // Go's zero time.
    default:
      return false;
  }
}

Value of_non_zero(Call& call) {
  return is_zero(call[0]) ? Value::none() : call.context.some(call[0]);
}

Value none(Call&) { return Value::none(); }

Value value(Call& call) {
  if (!call[0].has_value()) return Value::error("optional.none() dereference");
  return call[0].inner();
}

Value has_value(Call& call) { return Value::boolean(call[0].has_value()); }

Value first(Call& call) {
  if (call[0].size() == 0) return Value::none();
  return call.context.some(call[0].element(0));
}

Value last(Call& call) {
  if (call[0].size() == 0) return Value::none();
  return call.context.some(call[0].element(call[0].size() - 1));
}

Value unwrap(Call& call) {
  if (!call.context.charge(call[0].size())) return call.context.cancelled();
  std::vector<Value> values;
  for (std::size_t i = 0; i < call[0].size(); ++i) {
    const Value element = call[0].element(i);
    if (!element.is(ValueKind::Optional)) {
      return call.context.error({"value of type ", element.type_name(), " is not optional"});
    }
    if (element.has_value()) values.push_back(element.inner());
  }
  return call.context.list(values);
}

// Never called: the evaluator knows these, because they evaluate their argument only if needed.
Value known_to_evaluator(Call&) { return Context::no_such_overload(); }

Overload overload(std::string id, std::vector<Type> parameters, Type result,
                  Implementation implementation = nullptr) {
  return {.id = std::move(id),
          .parameters = std::move(parameters),
          .result = std::move(result),
          .implementation = implementation};
}

Overload member(std::string id, std::vector<Type> parameters, Type result,
                Implementation implementation) {
  Overload declared =
      overload(std::move(id), std::move(parameters), std::move(result), implementation);
  declared.style = CallStyle::Member;
  return declared;
}

}  // namespace

void add_optional_library(Environment& environment) {
  const Type v = Type::variable(0);
  const Type k = Type::variable(1);
  const Type optional = Type::optional(v);
  const Type list = Type::list(v);
  const Type map = Type::map(k, v);

  environment.enable_optional_syntax();
  environment.add_macros(optional_macros());
  environment.add_type_name("optional_type", Type::optional(TypeKind::Dyn));

  const auto add = [&](std::string name, Overload overload) {
    environment.add_function({.name = std::move(name), .overloads = {std::move(overload)}});
  };
  add("optional.of", overload("optional_of", {v}, optional, of));
  add("optional.ofNonZeroValue", overload("optional_ofNonZeroValue", {v}, optional, of_non_zero));
  add("optional.none", overload("optional_none", {}, optional, none));
  add("optional.unwrap", overload("optional_unwrap", {Type::list(optional)}, list, unwrap));
  add("value", member("optional_value", {optional}, v, value));
  add("hasValue", member("optional_hasValue", {optional}, TypeKind::Bool, has_value));
  add("or", member("optional_or_optional", {optional, optional}, optional, known_to_evaluator));
  add("orValue", member("optional_orValue_value", {optional, v}, v, known_to_evaluator));
  add("first", member("list_first", {list}, optional, first));
  add("last", member("list_last", {list}, optional, last));
  add("unwrapOpt", member("optional_unwrapOpt", {Type::list(optional)}, list, unwrap));

  // The evaluator knows these as paths; the table is for the checker.
  const TypeKind index = TypeKind::Int;
  const Type optional_list = Type::optional(list);
  const Type optional_map = Type::optional(map);
  environment.add_function(
      {.name = std::string(operators::kOptionalIndex),
       .overloads = {
           overload("list_optindex_optional_int", {list, index}, optional),
           overload("optional_list_optindex_optional_int", {optional_list, index}, optional),
           overload("map_optindex_optional_value", {map, k}, optional),
           overload("optional_map_optindex_optional_value", {optional_map, k}, optional)}});
  environment.add_function(
      {.name = std::string(operators::kIndex),
       .overloads = {overload("optional_list_index_int", {optional_list, index}, optional),
                     overload("optional_map_index_value", {optional_map, k}, optional)}});
}

}  // namespace berth::cel
