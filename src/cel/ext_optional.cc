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

Function function(std::string name, std::vector<Overload> overloads) {
  return {.name = std::move(name), .overloads = std::move(overloads)};
}

}  // namespace

void add_optional_library(Environment& environment) {
  const Type v = Type::variable(0);
  const Type k = Type::variable(1);
  const Type optional = Type::optional(v);
  const Type list = Type::list(v);
  const Type map = Type::map(k, v);
  constexpr CallStyle kMember = CallStyle::Member;

  environment.enable_optional_syntax();
  environment.add_macros(optional_macros());
  environment.add_type_name("optional_type", Type::optional(TypeKind::Dyn));

  const std::pair<const char*, Overload> functions[] = {
      {"optional.of",
       {.id = "optional_of", .parameters = {v}, .result = optional, .implementation = of}},
      {"optional.ofNonZeroValue",
       {.id = "optional_ofNonZeroValue",
        .parameters = {v},
        .result = optional,
        .implementation = of_non_zero}},
      {"optional.none",
       {.id = "optional_none", .parameters = {}, .result = optional, .implementation = none}},
      {"value",
       {.id = "optional_value",
        .style = kMember,
        .parameters = {optional},
        .result = v,
        .implementation = value}},
      {"hasValue",
       {.id = "optional_hasValue",
        .style = kMember,
        .parameters = {optional},
        .result = TypeKind::Bool,
        .implementation = has_value}},
      {"or",
       {.id = "optional_or_optional",
        .style = kMember,
        .parameters = {optional, optional},
        .result = optional,
        .implementation = known_to_evaluator}},
      {"orValue",
       {.id = "optional_orValue_value",
        .style = kMember,
        .parameters = {optional, v},
        .result = v,
        .implementation = known_to_evaluator}},
      {"first",
       {.id = "list_first",
        .style = kMember,
        .parameters = {list},
        .result = optional,
        .implementation = first}},
      {"last",
       {.id = "list_last",
        .style = kMember,
        .parameters = {list},
        .result = optional,
        .implementation = last}},
      {"optional.unwrap",
       {.id = "optional_unwrap",
        .parameters = {Type::list(optional)},
        .result = list,
        .implementation = unwrap}},
      {"unwrapOpt",
       {.id = "optional_unwrapOpt",
        .style = kMember,
        .parameters = {Type::list(optional)},
        .result = list,
        .implementation = unwrap}},
  };
  for (const auto& [name, overload] : functions) {
    environment.add_function(function(name, {overload}));
  }

  const TypeKind index = TypeKind::Int;
  environment.add_function(function(
      std::string(operators::kOptionalIndex),
      {{.id = "list_optindex_optional_int", .parameters = {list, index}, .result = optional},
       {.id = "optional_list_optindex_optional_int",
        .parameters = {Type::optional(list), index},
        .result = optional},
       {.id = "map_optindex_optional_value", .parameters = {map, k}, .result = optional},
       {.id = "optional_map_optindex_optional_value",
        .parameters = {Type::optional(map), k},
        .result = optional}}));
  environment.add_function(
      function(std::string(operators::kIndex), {{.id = "optional_list_index_int",
                                                 .parameters = {Type::optional(list), index},
                                                 .result = optional},
                                                {.id = "optional_map_index_value",
                                                 .parameters = {Type::optional(map), k},
                                                 .result = optional}}));
}

}  // namespace berth::cel
