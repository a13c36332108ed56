// Checks an expression against an environment before it runs: names are declared, functions have
// an overload for the types at hand. Where a type is dyn, the decision is left to the evaluation.

#pragma once

#include <cstddef>
#include <vector>

#include "cel/ast.h"
#include "cel/environment.h"
#include "cel/function.h"
#include "cel/source.h"
#include "cel/type.h"

namespace berth::cel {

// What a node of the tree turned out to be.
struct Reference {
  enum class Kind { None, Variable, Local, TypeName, Function };

  Kind kind = Kind::None;
  std::size_t variable = 0;            // Variable.
  const Function* function = nullptr;  // Function.
  const Overload* overload = nullptr;  // Function, when exactly one can apply.
  bool is_namespaced = false;  // Function whose receiver is part of its name: strings.quote(x).
};

struct Checked {
  std::vector<Type> types;            // By node.
  std::vector<Reference> references;  // By node.
};

Checked check(const Ast& ast, const Environment& environment, Issues& issues);

}  // namespace berth::cel
