// Macros: calls that the parser replaces by other expressions before anything is checked.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/ast.h"
#include "cel/source.h"

namespace berth::cel {

// What an expander works with. New nodes get the position of the macro call.
struct MacroCall {
  Ast& ast;
  Issues& issues;
  Position position;
  ExprIndex target = 0;  // Only meaningful for receiver macros.
  std::span<const ExprIndex> arguments = {};

  ExprIndex literal(Literal value);
  ExprIndex identifier(std::string_view name);
  ExprIndex call(std::string_view function, std::vector<ExprIndex> arguments_of_call);
  ExprIndex member_call(std::string_view function, ExprIndex receiver);
  ExprIndex list(std::vector<ExprIndex> elements);
  ExprIndex fail(ExprIndex at, std::string message);
};

struct Macro {
  std::string_view name;
  std::size_t argument_count = 0;
  bool is_receiver = false;
  ExprIndex (*expand)(MacroCall& call) = nullptr;
};

// has, all, exists, exists_one, map (two forms), filter.
std::span<const Macro> standard_macros();

// optMap, optFlatMap.
std::span<const Macro> optional_macros();

}  // namespace berth::cel
