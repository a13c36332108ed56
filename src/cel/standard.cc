#include "cel/standard.h"

#include "cel/macro.h"

namespace berth::cel {

void add_standard_library(Environment& environment) {
  add_operators(environment);
  add_comparisons(environment);
  add_conversions(environment);
  add_string_functions(environment);
  add_time_functions(environment);
  environment.add_macros(standard_macros());

  for (const TypeKind kind :
       {TypeKind::Bool, TypeKind::Int, TypeKind::Uint, TypeKind::Double, TypeKind::String,
        TypeKind::Bytes, TypeKind::Null, TypeKind::Timestamp, TypeKind::Duration}) {
    environment.add_type_name(std::string(runtime_name(kind)), kind);
  }
  environment.add_type_name("list", Type::list(TypeKind::Dyn));
  environment.add_type_name("map", Type::map(TypeKind::Dyn, TypeKind::Dyn));
  environment.add_type_name("type", TypeKind::Meta);
}

}  // namespace berth::cel
