#include "cel/function.h"

#include <algorithm>

namespace berth::cel {
namespace {

int highest_variable(const Type& type) {
  if (type.kind() == TypeKind::Variable) return type.variable_number() + 1;
  int highest = 0;
  for (const Type& parameter : type.parameters()) {
    highest = std::max(highest, highest_variable(parameter));
  }
  return highest;
}

}  // namespace

int count_type_variables(const Overload& overload) {
  int count = highest_variable(overload.result);
  for (const Type& parameter : overload.parameters) {
    count = std::max(count, highest_variable(parameter));
  }
  return count;
}

bool accepts(const Type& type, const Value& value) {
  switch (type.kind()) {
    case TypeKind::Dyn:
    case TypeKind::Variable:
      return true;
    case TypeKind::Null:
      return value.is(ValueKind::Null);
    case TypeKind::Bool:
      return value.is(ValueKind::Bool);
    case TypeKind::Int:
      return value.is(ValueKind::Int);
    case TypeKind::Uint:
      return value.is(ValueKind::Uint);
    case TypeKind::Double:
      return value.is(ValueKind::Double);
    case TypeKind::String:
      return value.is(ValueKind::String);
    case TypeKind::Bytes:
      return value.is(ValueKind::Bytes);
    case TypeKind::Timestamp:
      return value.is(ValueKind::Timestamp);
    case TypeKind::Duration:
      return value.is(ValueKind::Duration);
    case TypeKind::Meta:
      return value.is(ValueKind::Type);
    case TypeKind::List:
      if (!value.is(ValueKind::List)) return false;
      return value.size() == 0 || accepts(type.parameters()[0], value.element(0));
    case TypeKind::Map: {
      if (!value.is(ValueKind::Map)) return false;
      if (value.size() == 0) return true;
      const MapEntry first = value.entry(0);
      return accepts(type.parameters()[0], first.key) && accepts(type.parameters()[1], first.value);
    }
    case TypeKind::Opaque:
      return value.type_name() == type.runtime_name();
    case TypeKind::Struct:
      return value.is(ValueKind::Map);
    case TypeKind::Error:
      return false;
  }
  return false;
}

bool accepts(const Overload& overload, std::span<const Value> arguments) {
  if (arguments.size() != overload.parameters.size()) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!accepts(overload.parameters[i], arguments[i])) return false;
  }
  return true;
}

}  // namespace berth::cel
