// Turns a checked expression into a plan.

#pragma once

#include "cel/ast.h"
#include "cel/checker.h"
#include "cel/environment.h"
#include "cel/plan.h"

namespace berth::cel {

// The expression must have been checked without issues.
Plan make_plan(const Ast& ast, const Checked& checked, const Environment& environment);

}  // namespace berth::cel
